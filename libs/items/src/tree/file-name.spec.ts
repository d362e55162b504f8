import { expect, test } from '@jest/globals';
import { fileNameOf, safeFileName } from './file-name.ts';

test.each([
  ['http://site.example/photos/a.jpg', 'a.jpg'],
  ['http://site.example/a.jpg?size=2#x', 'a.jpg'],
  ['http://site.example/Fr%C3%BChling%202026.png', 'Frühling 2026.png'],
  ['http://site.example/photos/', 'file'],
  ['http://site.example', 'file'],
  ['http://site.example/..%2f..%2fetc%2fpasswd', '-..-etc-passwd'],
  ['http://site.example/%2e%2e', 'file'],
  ['http://site.example/%00%0a', '-'],
  ['http://site.example/%E4%.txt', '-E4-.txt'],
])('the file at %s is named %s', (url, name) => {
  expect(fileNameOf(url)).toBe(name);
});

test('a long name keeps its end', () => {
  expect(safeFileName(`${'x'.repeat(300)}.jpg`)).toBe(`${'x'.repeat(116)}.jpg`);
});
