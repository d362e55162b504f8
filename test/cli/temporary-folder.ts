import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';

/** A folder of its own for one test file, or for the tests of a `describe` block. */
export function temporaryFolder(): {
  write(name: string, text: string): Promise<string>;
  path(name: string): string;
} {
  const folder = mkdtempSync(join(tmpdir(), 'feedmesh-cli-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return {
    path: (name) => join(folder, name),
    async write(name, text) {
      await writeFile(join(folder, name), text);
      return join(folder, name);
    },
  };
}
