import { expect, test } from '@jest/globals';
import { isUrl } from './url.ts';

const base = 'http://feeds.example/';

test.each([
  ['http://feeds.example/a', true],
  // Latin-1 characters, as the bytes of a header are read.
  ['http://caf\u00E9.example/\u00E9', true],
  [Buffer.from('http://\uFF11\uFF12.\uFF10.\uFF10.\uFF11/').toString('latin1'), false],
  ['http://[', false],
])('%j: is it a URL? %s, however often it is asked', (text, expected) => {
  const answers = new Set<boolean>();
  for (let asked = 0; asked < 20_000; asked += 1) answers.add(isUrl(text, base));
  expect([...answers]).toEqual([expected]);
});
