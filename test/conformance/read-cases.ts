import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConformanceCase } from './conformance-case.ts';

/** Every case under a folder `<section>/<case>`, in the order of their names; sections in numerical order. */
export function readCases(root: string): ConformanceCase[] {
  return foldersIn(root).flatMap((section) => foldersIn(join(root, section)).map((name) => readCase(root, `${section}/${name}`)));
}

function readCase(root: string, name: string): ConformanceCase {
  const folder = join(root, name);
  return { ...(JSON.parse(readFileSync(join(folder, 'case.json'), 'utf8')) as ConformanceCase), name, folder };
}

function foldersIn(folder: string): string[] {
  return readdirSync(folder).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}
