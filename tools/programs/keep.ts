import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

export type Say = (line: string) => void;

/** Where the programs and files of a tool are kept by version, outside of any checkout. */
export function programsFolder(tool: string): string {
  const base = process.env['XDG_CACHE_HOME'];
  const caches = base === undefined || base === '' ? join(homedir(), '.cache') : base;
  return join(caches, 'feedmesh', tool);
}

/**
 * Returns the path of something that a tool keeps, and makes it if it is missing.
 * @param name has everything that it depends on, such as a version
 * @param make gets an empty folder and returns the path in it of what is to be kept; the rest is removed
 */
export async function keep(
  tool: string,
  name: string,
  make: (folder: string, kept: string) => Promise<string>,
): Promise<string> {
  const folder = programsFolder(tool);
  const kept = join(folder, name);
  if (existsSync(kept)) return kept;
  await mkdir(folder, { recursive: true });
  const workplace = await mkdtemp(join(folder, 'work-'));
  try {
    const made = await make(workplace, kept);
    // Another process may have made the same meanwhile.
    if (!existsSync(kept)) await rename(made, kept);
    return kept;
  } finally {
    await rm(workplace, { recursive: true, force: true });
  }
}
