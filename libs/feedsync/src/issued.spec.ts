import { expect, test } from '@jest/globals';
import { recordIssued, recordOfHistory } from './issued.ts';
import type { IssuedRecord, Signature } from './issued.ts';

const when = (sequence: number): string => `2026-01-01T00:${String(sequence).padStart(2, '0')}:00Z`;
const signed = (sequence: number): Signature => ({ sequence, when: when(sequence), mark: ['live', `title ${sequence}`] });
const recordOf = (sequences: readonly number[]): IssuedRecord | undefined => (
  sequences.reduce<IssuedRecord | undefined>((record, sequence) => recordIssued(record, 'here', signed(sequence)), undefined)
);

test('a record has the versions that were signed, the highest first', () => {
  expect(recordOf([1, 2, 5])).toEqual({ by: 'here', highest: 5, completeAbove: 0, versions: [signed(5), signed(2), signed(1)] });
});

test('a record keeps the latest 20 versions, and knows from where on it has all', () => {
  const record = recordOf(Array.from({ length: 25 }, (_, index) => 2 * index + 1));
  expect(record).toMatchObject({ highest: 49, completeAbove: 9 });
  expect(record?.versions.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 20 }, (_, index) => 49 - 2 * index));
});

test('a record of histories has each version once, with its mark where one is known, and claims nothing of what is missing', () => {
  expect(recordOfHistory('here', [])).toBeUndefined();
  const { mark: _mark, ...unmarked } = signed(3);
  expect(recordOfHistory('here', [signed(5), unmarked, signed(3), unmarked])).toEqual({ by: 'here', highest: 5, completeAbove: 5, versions: [signed(5), signed(3)] });
});
