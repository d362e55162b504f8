import { expect, test } from '@jest/globals';
import { WorkQueue } from '../requests/work-queue.ts';
import { readPage } from './page.ts';

const letters = Array.from('abcdefghijklmnopqrstuvwxyz', (key) => ({ key }));

/**
 * Reads a list of entries page by page; returns the keys of each page, and how many entries were loaded at a
 * time.
 */
async function pages(
  entries: readonly { readonly key: string; readonly text?: string }[],
  limit: string,
  pageBytes: number,
): Promise<{ pages: string[]; loads: number[] }> {
  const loads: number[] = [];
  const load = async ({ after = '', limit }: { after?: string; limit: number }) => {
    loads.push(limit);
    return entries.filter(({ key }) => key > after).slice(0, limit);
  };
  const read: string[] = [];
  for (let cursor: string | undefined; ;) {
    const { items, next } = await readPage(
      { limit, cursor },
      { configuration: { GATEWAY_PAGE_ITEMS: 100, GATEWAY_PAGE_BYTES: pageBytes }, reads: new WorkQueue(1) },
      load,
      ({ key }) => key,
    );
    read.push(items.map(({ key }) => key).join(''));
    if (next === undefined) return { pages: read, loads };
    cursor = next;
  }
}

test.each([
  ['30', ['abcdefghijklmnopqrstuvwxyz']],
  ['26', ['abcdefghijklmnopqrstuvwxyz']],
  ['25', ['abcdefghijklmnopqrstuvwxy', 'z']],
  ['10', ['abcdefghij', 'klmnopqrst', 'uvwxyz']],
  ['1', letters.map(({ key }) => key)],
])('a page has as many entries as were wanted: %s', async (limit, expected) => {
  expect((await pages(letters, limit, 1_000_000)).pages).toEqual(expected);
});

test('a page ends before it has too many bytes, but has one entry at least', async () => {
  const text = (length: number): string => 'x'.repeat(length);
  const entries = [
    { key: 'a', text: text(500) },
    { key: 'b', text: text(300) },
    { key: 'c', text: text(5000) },
    { key: 'd', text: text(10) },
    { key: 'e', text: text(10) },
  ];
  expect((await pages(entries, '100', 1000)).pages).toEqual(['ab', 'c', 'de']);
});

test('large entries are never loaded by the hundred', async () => {
  const entries = letters.map(({ key }) => ({ key, text: 'x'.repeat(400) }));
  const { pages: read, loads } = await pages(entries, '100', 1000);
  expect(read.slice(0, 2)).toEqual(['ab', 'cd']);
  expect(Math.max(...loads)).toBe(4);
});

test('an empty list has one empty page', async () => {
  expect(await pages([], '100', 1000)).toEqual({ pages: [''], loads: [4] });
});
