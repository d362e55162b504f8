import { expect, test } from '@jest/globals';
import { mayUsePrefix, prefixesIn } from './prefixes.ts';

/** Pieces of which every way to put four together is a text: names, what may stand before one, and others. */
const pieces = ['a', 'sx', ':', '-', '1', '.', '"', '<', ' ', 'é', '\u0301', '·', '😀', '×'];

test('a prefix is looked for by itself as among all of a text', () => {
  const prefixes = ['a', 'sx', 'é', 'asx'];
  let texts = [''];
  for (let length = 0; length < 4; length += 1)
    texts = texts.flatMap((text) => pieces.map((piece) => text + piece));
  const differing = texts.filter((text) => {
    const used = prefixesIn([text]);
    return prefixes.some((prefix) => used.has(prefix) !== mayUsePrefix(text, prefix));
  });
  expect(texts).toHaveLength(pieces.length ** 4);
  expect(differing).toEqual([]);
});

test('what is no name before a prefix makes no other name of it, in linear time', () => {
  expect(mayUsePrefix(`${'1'.repeat(1_000_000)}sx:`, 'sx')).toBe(true);
  expect(mayUsePrefix(`a${'sx'.repeat(500_000)}:`, 'sx')).toBe(false);
  expect(mayUsePrefix('asx:b sx:c', 'sx')).toBe(true);
});
