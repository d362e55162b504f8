import { expect, test } from '@jest/globals';
import { maximumCount, parseCount } from './count.ts';

test.each([
  ['1', 1],
  ['2147483647', maximumCount],
  ['10', 10],
])('%j is a count (2.4, 2.5)', (text, count) => {
  expect(parseCount(text)).toBe(count);
});

test.each([
  '',
  '0',
  '-1',
  '+1',
  '01',
  '007',
  '1e3',
  '1.0',
  ' 1',
  '1 ',
  '1\n',
  '0x10',
  '2147483648',
  '9999999999',
  `1${'0'.repeat(30)}`,
  '\u0661',
  'NaN',
])('%j is not a count', (text) => {
  expect(parseCount(text)).toBeUndefined();
});
