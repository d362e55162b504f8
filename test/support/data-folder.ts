import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes a folder for the data of a server of a test's own, where the databases of all tests have theirs.
 * @param name what the name of the folder begins with
 */
export function dataFolder(name: string): Promise<string> {
  return mkdtemp(join(process.env['FEEDMESH_DATA'] ?? tmpdir(), name));
}
