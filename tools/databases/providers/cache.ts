import { existsSync } from 'node:fs';
import { mkdir, rename, rm, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { assertRuns } from './command.ts';
import { PassedOverError, type Provider } from './provider.ts';
import type { Server } from './server.ts';

/** Where downloads are kept, outside of any checkout: `$XDG_CACHE_HOME/feedmesh` or `~/.cache/feedmesh`. */
export function cacheFolder(environment: NodeJS.ProcessEnv): string {
  const base = environment['XDG_CACHE_HOME'];
  return join(
    base === undefined || base === '' ? join(environment['HOME'] ?? homedir(), '.cache') : base,
    'feedmesh',
  );
}

function cachedProgram(server: Server, environment: NodeJS.ProcessEnv): string {
  return join(cacheFolder(environment), 'bin', server.programs[0]);
}

/**
 * Remembers where a server's program was found, so that the next start finds it there; returns the path to
 * run it by.
 */
export async function remember(
  server: Server,
  program: string,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const link = cachedProgram(server, environment);
  await mkdir(join(link, '..'), { recursive: true });
  const fresh = `${link}.${process.pid}`;
  await rm(fresh, { force: true });
  await symlink(program, fresh);
  await rename(fresh, link);
  return link;
}

/** A server that an earlier start has downloaded or installed. */
export const programInCache: Provider = {
  title: 'our cache',
  installs: false,
  async find(server, surroundings) {
    const path = cachedProgram(server, surroundings.environment);
    if (!existsSync(path)) throw new PassedOverError(`no ${path}`);
    await assertRuns(path, surroundings);
    return path;
  },
};
