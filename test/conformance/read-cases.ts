import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CaseOf, Operation as FeedSyncOperation } from './conformance-case.ts';

/** Every case under a folder `<section>/<case>`, in the order of their names; sections in numerical order. */
export function readCases<Operation = FeedSyncOperation>(root: string): CaseOf<Operation>[] {
  return foldersIn(root).flatMap((section) =>
    foldersIn(join(root, section)).map((name) => readCase<Operation>(root, `${section}/${name}`)),
  );
}

function readCase<Operation>(root: string, name: string): CaseOf<Operation> {
  const folder = join(root, name);
  return {
    ...(JSON.parse(readFileSync(join(folder, 'case.json'), 'utf8')) as CaseOf<Operation>),
    name,
    folder,
  };
}

function foldersIn(folder: string): string[] {
  return readdirSync(folder).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}
