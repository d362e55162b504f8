import { readFileSync } from 'node:fs';

/** One row of a conformance table, with the number of its line. */
export interface TableRow {
  readonly line: number;
  /** Step, what the text asks, what Feedmesh does, where, and cases; as they are written. */
  readonly cells: readonly string[];
  /** Whether the cell of what Feedmesh does says anything but that it is not built yet. */
  readonly isBuilt: boolean;
  /** Paths from the root of the checkout. */
  readonly where: readonly string[];
  /** `<section>/<case>`; a star at the end stands for any ending. */
  readonly cases: readonly string[];
}

/** The rows of every table in a document but their headings. */
export function readTable(file: string): TableRow[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, index) => (isRow(text) ? [readRow(text, index + 1)] : []));
}

/** Whether a name in a row means the case. */
export function namesCase(name: string, caseName: string): boolean {
  return name.endsWith('*') ? caseName.startsWith(name.slice(0, -1)) : caseName === name;
}

function isRow(text: string): boolean {
  return text.startsWith('|') && !text.startsWith('|---') && !text.startsWith('| Step |');
}

function readRow(text: string, line: number): TableRow {
  const cells = text
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .slice(1)
    .map((cell) => cell.trim());
  return {
    line,
    cells,
    isBuilt: cells[2] !== 'Not built yet',
    where: quotedIn(cells[3]),
    cases: quotedIn(cells[4]),
  };
}

function quotedIn(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}
