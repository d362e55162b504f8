import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readCases } from './read-cases.ts';
import { namesCase, readTable } from './table.ts';

const checkout = join(import.meta.dirname, '../..');

describe.each([
  ['FeedSync', 'feedsync'],
  ['SSE', 'sse'],
  ['Content Sync Extensions', 'cse'],
])('the conformance table of %s', (_specification, folder) => {
  const rows = readTable(join(checkout, `docs/conformance/${folder}.md`));
  const cases = readCases(join(import.meta.dirname, folder));

  test('has rows of five cells, none of them empty', () => {
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ cells }) => cells.length !== 5 || cells.includes(''))).toEqual([]);
  });

  test('names at least one case in every row of what is built', () => {
    expect(rows.filter((row) => row.isBuilt && row.cases.length === 0)).toEqual([]);
  });

  test('has a dash for where and cases in every row of what is not built', () => {
    expect(rows.filter((row) => !row.isBuilt && (row.cells[3] !== '–' || row.cells[4] !== '–'))).toEqual([]);
  });

  test('names no case that does not exist', () => {
    const missing = rows.flatMap(({ line, cases: names }) =>
      names
        .filter((name) => !cases.some((one) => namesCase(name, one.name)))
        .map((name) => `line ${line}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  test('has every case in a row', () => {
    expect(
      cases
        .map(({ name }) => name)
        .filter((name) => !rows.some((row) => row.cases.some((pattern) => namesCase(pattern, name)))),
    ).toEqual([]);
  });

  test('says where in files that exist', () => {
    expect(
      rows
        .filter((row) => row.isBuilt)
        .flatMap(({ line, where }) =>
          where.length === 0 ? [`line ${line}`] : where.filter((path) => !existsSync(join(checkout, path))),
        ),
    ).toEqual([]);
  });
});
