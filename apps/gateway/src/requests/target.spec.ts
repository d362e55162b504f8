import { expect, test } from '@jest/globals';
import { pathIn, queryIn } from './target.ts';

test.each([
  ['/feeds/news.atom', '/feeds/news.atom', ''],
  ['/a%20b?c=d?e#f', '/a%20b', 'c=d?e'],
  ['/a#b?c', '/a', ''],
  ['http://host:80/a?b', '/a', 'b'],
  ['https://host?b', '/', 'b'],
  ['*', '*', ''],
])('the path and the query of %s', (url, path, query) => {
  expect([pathIn({ url }), queryIn({ url })]).toEqual([path, query]);
});
