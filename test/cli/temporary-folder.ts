import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own for one test file. */
export async function temporaryFolder(): Promise<{
  write(name: string, text: string): Promise<string>;
  path(name: string): string;
  remove(): Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'feedmesh-cli-'));
  return {
    path: (name) => join(folder, name),
    async write(name, text) {
      await writeFile(join(folder, name), text);
      return join(folder, name);
    },
    remove: () => rm(folder, { recursive: true }),
  };
}
