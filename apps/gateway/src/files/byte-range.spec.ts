import { expect, test } from '@jest/globals';
import { byteRange } from './byte-range.ts';

test.each([
  ['bytes=0-0', { first: 0, last: 0 }],
  ['bytes=2-5', { first: 2, last: 5 }],
  ['Bytes= 2-5 ', { first: 2, last: 5 }],
  ['bytes=9-', { first: 9, last: 9 }],
  ['bytes=4-900', { first: 4, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=-900', { first: 0, last: 9 }],
])('%s of ten bytes is a part of them', (header, range) => {
  expect(byteRange(header, 10)).toEqual(range);
});

test.each(['bytes=10-', 'bytes=10-12', 'bytes=-0', 'bytes=999999999999999-'])(
  '%s is outside of ten bytes',
  (header) => {
    expect(byteRange(header, 10)).toBe('unsatisfiable');
  },
);

test.each([
  undefined,
  '',
  'bytes=',
  'bytes=-',
  'bytes=5-2',
  'bytes=0-1,3-4',
  'items=0-1',
  'bytes=a-b',
  'bytes=1.0-2',
  'bytes=0-99999999999999999999',
])('%s is answered with the whole', (header) => {
  expect(byteRange(header, 10)).toBeUndefined();
});

test.each(['bytes=0-', 'bytes=-1'])('nothing of an empty file can be given for %s', (header) => {
  expect(byteRange(header, 0)).toBe('unsatisfiable');
});
