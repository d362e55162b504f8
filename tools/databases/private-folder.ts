import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SettingError } from './limits.ts';

/** What a launcher writes in a data folder; the folder can have other files as well. */
const entries = [
  'processes.json',
  'access.json',
  'database-password',
  'ports.json',
  'redis',
  'redis.log',
  'mongodb',
  'mongodb.log',
];

/** In a folder with it, such as /tmp, users can write, and delete only their own files. */
const stickyBit = 0o1000;

/**
 * Lets only the owner read a data folder (made if missing) and what a launcher has written in it. Throws
 * `SettingError` for a folder that users share, such as /tmp, and what the file system throws.
 */
export function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { mode } = lstatSync(join(folder, '.'));
  if ((mode & stickyBit) !== 0)
    throw new SettingError(
      `FEEDMESH_DATA must not be ${folder}, which users share: set it to a folder in it`,
    );
  chmodSync(folder, mode & 0o700);
  for (const entry of entries) restrict(join(folder, entry));
}

/** Takes the permissions of group and others from a file, or from a folder with all that is in it. */
function restrict(path: string): void {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry === undefined || entry.isSymbolicLink()) return;
  if ((entry.mode & 0o077) !== 0) chmodSync(path, entry.mode & 0o700);
  if (entry.isDirectory()) for (const name of readdirSync(path)) restrict(join(path, name));
}
