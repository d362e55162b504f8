import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CaseDocuments } from './case-file/case-documents.ts';
import { parseCaseFile } from './case-file/parse-case-file.ts';
import type { WrittenCase } from './case-file/parse-case-file.ts';
import { parseViolations } from './case-file/parse-violations.ts';
import type { CaseOf, Operation as FeedSyncOperation } from './conformance-case.ts';

/**
 * Reads every case below a folder, by section and name in natural order. The cases of a section are in the
 * text files of its folder.
 * @throws Error with the path if a file is not a case file or a name is taken
 */
export function readCases<Operation = FeedSyncOperation>(root: string): CaseOf<Operation>[] {
  return entriesOf(root).flatMap((section) => {
    const files = entriesOf(join(root, section));
    const cases = files.flatMap((file) => readFile<Operation>(join(root, section, file), section));
    refuseTwins(cases.map(({ name }) => name));
    return cases.toSorted((a, b) => naturalOrder(a.name, b.name));
  });
}

function readFile<Operation>(path: string, section: string): CaseOf<Operation>[] {
  try {
    if (!path.endsWith('.txt')) throw new Error('a case is a text file, NAME.txt');
    return parseCaseFile(textOf(path)).map((written) =>
      caseFrom<Operation>(written, section, written.name ?? basename(path, '.txt')),
    );
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function textOf(path: string): string {
  const bytes = readFileSync(path);
  if (!isUtf8(bytes)) throw new Error('the file is not UTF-8');
  return bytes.toString();
}

function caseFrom<Operation>(written: WrittenCase, section: string, name: string): CaseOf<Operation> {
  const { violations, ...properties } = written.properties;
  for (const key of ['title', 'operation'])
    if (typeof properties[key] !== 'string') throw new Error(`${name}: \`${key}\` is missing`);
  return {
    ...(properties as Operation & { title: string }),
    ...(violations !== undefined && { expected: { violations: parseViolations(violations) } }),
    section,
    name: `${section}/${name}`,
    documents: new CaseDocuments(written.documents),
    text: written.text,
  };
}

function refuseTwins(names: readonly string[]): void {
  const twin = names.find((name, index) => names.indexOf(name) < index);
  if (twin !== undefined) throw new Error(`two cases are called ${twin}`);
}

function entriesOf(folder: string): string[] {
  return readdirSync(folder).toSorted(naturalOrder);
}

function naturalOrder(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
