import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseCaseFile } from './case-file/parse-case-file.ts';

/**
 * The cases of a file that belong in another one: those that only read a document in a list, by what it
 * violates.
 */
function misplaced(path: string): string[] {
  const file = basename(path, '.txt');
  return parseCaseFile(readFileSync(path, 'utf8')).flatMap(({ name = file, properties }) => {
    const list = properties.violations === 'none' ? 'valid' : 'invalid';
    const isListed = file === 'valid' || file === 'invalid';
    const belongs = properties.operation === 'validate' ? file === list : !isListed;
    return belongs ? [] : [`${path}: ${name}`];
  });
}

test.each(['feedsync', 'sse', 'cse'])(
  '%s keeps what it only reads in valid.txt and invalid.txt',
  (folder) => {
    const files = readdirSync(join(import.meta.dirname, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    expect(files.length).toBeGreaterThan(0);
    expect(files.flatMap(misplaced)).toEqual([]);
  },
);
