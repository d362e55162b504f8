import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programInCache } from '../../tools/databases/providers/cache.ts';
import { programOnPath } from '../../tools/databases/providers/path.ts';
import type { Surroundings } from '../../tools/databases/providers/provider.ts';
import { mongodb, redis, type Server } from '../../tools/databases/providers/server.ts';
import { programInWheel } from '../../tools/databases/providers/wheel.ts';

/** The surroundings of a climb, with its logs kept. */
export function surroundings(
  environment: NodeJS.ProcessEnv,
): Surroundings & { lines: string[]; details: string[] } {
  const lines: string[] = [];
  const details: string[] = [];
  return {
    environment,
    downloadLimit: 120_000,
    log: (line) => lines.push(line),
    debug: (line) => details.push(line),
    signal: new AbortController().signal,
    lines,
    details,
  };
}

/** The path of a real server program, by the providers that change nothing on this machine but our cache. */
export function realProgram(server: Server): Promise<string> {
  const here = surroundings(process.env);
  return programOnPath
    .find(server, here)
    .catch(() => programInCache.find(server, here))
    .catch(() => programInWheel.find(server, here));
}

/** A PATH with redis-server and mongod, whatever is installed. */
export async function folderOfServers(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  symlinkSync(await realProgram(redis), join(folder, 'redis-server'));
  symlinkSync(await realProgram(mongodb), join(folder, 'mongod'));
  return folder;
}

/** Writes an executable shell script. */
export function script(folder: string, name: string, ...lines: string[]): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  writeFileSync(file, ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });
  return file;
}
