import { expect, test } from '@jest/globals';
import { parseHttpDate } from './http-date.ts';

const now = Date.UTC(2026, 10, 1);

test.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
  ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
  ['Sunday, 06-Nov-26 08:49:37 GMT', '2026-11-06T08:49:37.000Z'],
  ['Sunday, 06-Nov-77 08:49:37 GMT', '1977-11-06T08:49:37.000Z'],
  ['Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37.000Z'],
  ['Thu, 29 Feb 2024 23:59:60 GMT', '2024-02-29T23:59:59.000Z'],
])('%s is %s', (text, expected) => {
  expect(new Date(parseHttpDate(text, now) ?? Number.NaN).toISOString()).toBe(expected);
});

test.each([
  '',
  '0',
  '1',
  '2024-02-29',
  'Fri, 30 Feb 2024 00:00:00 GMT',
  'Thu, 29 Feb 2024 24:00:00 GMT',
  'Thu, 29 Feb 2024 00:60:00 GMT',
  'Thu, 29 Fub 2024 00:00:00 GMT',
  'Thu, 29 Feb 2024 00:00:00 +0100',
])('"%s" is no date of HTTP', (text) => {
  expect(parseHttpDate(text, now)).toBeUndefined();
});
