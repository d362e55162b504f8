import { describe, expect, test } from '@jest/globals';
import { freshnessOf, retryAfterOf } from './freshness.ts';

const now = Date.UTC(2026, 10, 1, 12, 0, 0);

describe('freshness', () => {
  test.each([
    ['nothing', {}, undefined],
    ['max-age', { 'cache-control': 'private, max-age=600' }, 600],
    ['max-age in quotes and capitals', { 'cache-control': 'Max-Age="600"' }, 600],
    ['max-age over two fields', { 'cache-control': ['private', 'max-age=60'] }, 60],
    [
      'max-age before Expires',
      { 'cache-control': 'max-age=600', expires: 'Sun, 01 Nov 2026 13:00:00 GMT' },
      600,
    ],
    ['max-age less Age', { 'cache-control': 'max-age=600', age: '100' }, 500],
    ['an Age above max-age', { 'cache-control': 'max-age=600', age: '1000' }, 0],
    ['a max-age of many digits', { 'cache-control': `max-age=${'9'.repeat(400)}` }, Number.MAX_SAFE_INTEGER],
    ['an Age of many digits', { 'cache-control': 'max-age=600', age: '9'.repeat(400) }, 0],
    ['an Expires in the year 9999', { expires: 'Fri, 31 Dec 9999 23:59:59 GMT' }, 251_608_766_399],
    ['s-maxage, which is not for us', { 'cache-control': 's-maxage=600' }, undefined],
    ['a max-age that is no number', { 'cache-control': 'max-age=-5' }, undefined],
    ['Expires', { expires: 'Sun, 01 Nov 2026 12:10:00 GMT' }, 600],
    [
      'Expires by the clock of the server',
      { expires: 'Sun, 01 Nov 2026 12:10:00 GMT', date: 'Sun, 01 Nov 2026 12:09:00 GMT' },
      60,
    ],
    ['an Expires in the past', { expires: 'Sun, 01 Nov 2026 11:00:00 GMT' }, 0],
    ['an Expires that is no date', { expires: '0' }, 0],
  ])('from %s', (_, header, seconds) => {
    expect(freshnessOf(header, now).seconds).toBe(seconds);
  });
});

describe('Retry-After', () => {
  test.each([
    ['nothing', {}, undefined],
    ['seconds', { 'retry-after': '120' }, 120],
    ['seconds of many digits', { 'retry-after': '9'.repeat(400) }, Number.MAX_SAFE_INTEGER],
    ['a date in the year 9999', { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }, 251_608_766_399],
    [
      'a date beyond the four digits of a year',
      { 'retry-after': 'Fri, 31 Dec +010541 23:59:59 GMT' },
      undefined,
    ],
    ['a date', { 'retry-after': 'Sun, 01 Nov 2026 12:02:00 GMT' }, 120],
    [
      'a date by the clock of the server',
      { 'retry-after': 'Sun, 01 Nov 2026 12:02:00 GMT', date: 'Sun, 01 Nov 2026 12:01:00 GMT' },
      60,
    ],
    ['a date in the past', { 'retry-after': 'Sun, 01 Nov 2026 11:00:00 GMT' }, 0],
    ['something else', { 'retry-after': 'soon' }, undefined],
  ])('from %s', (_, header, seconds) => {
    expect(retryAfterOf(header, now)).toBe(seconds);
  });
});
