import { expect, test } from '@jest/globals';
import { agreedSequence, clashesIn, recordAccepted, recordIssued, recordOfHistory } from './issued.ts';
import type { IssuedRecord, Signature } from '#core';

const when = (sequence: number): string => `2026-01-01T00:${String(sequence).padStart(2, '0')}:00Z`;
const signed = (sequence: number): Signature => ({
  sequence,
  when: when(sequence),
  mark: ['live', `title ${sequence}`],
});
const recordOf = (sequences: readonly number[]): IssuedRecord | undefined =>
  sequences.reduce<IssuedRecord | undefined>(
    (record, sequence) => recordIssued(record, 'here', signed(sequence)),
    undefined,
  );

test('a record has the versions that were signed, the highest first', () => {
  expect(recordOf([1, 2, 5])).toEqual({
    by: 'here',
    highest: 5,
    completeAbove: 0,
    versions: [signed(5), signed(2), signed(1)],
  });
});

test('a record keeps the latest 20 versions, and knows from which version on it is complete', () => {
  const record = recordOf(Array.from({ length: 25 }, (_, index) => 2 * index + 1));
  expect(record).toMatchObject({ highest: 49, completeAbove: 9 });
  expect(record?.versions.map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: 20 }, (_, index) => 49 - 2 * index),
  );
});

test(
  'a record of histories has each version once, with its mark if one is known, and asserts nothing ' +
    'of what is missing',
  () => {
    expect(recordOfHistory('here', [])).toBeUndefined();
    const { mark: _mark, ...unmarked } = signed(3);
    expect(recordOfHistory('here', [signed(5), unmarked, signed(3), unmarked])).toEqual({
      by: 'here',
      highest: 5,
      completeAbove: 5,
      versions: [signed(5), signed(3)],
    });
  },
);

const unmarked = ({ sequence, when }: Signature): Signature => ({
  sequence,
  ...(when !== undefined && { when }),
});
const kinds = (record: IssuedRecord | undefined, signatures: readonly Signature[]): string[] =>
  clashesIn(record, signatures).map(({ kind, signature }) => `${signature.sequence} ${kind}`);

test('what was signed here is no clash, whatever a publisher leaves out', () => {
  const record = recordOf([1, 2, 5]);
  expect(
    kinds(record, [
      signed(5),
      unmarked(signed(2)),
      { sequence: 1 },
      { ...signed(5), mark: ['live', ''] },
      { ...signed(5), mark: ['live'] },
    ]),
  ).toEqual([]);
  expect(kinds(record, [{ sequence: 2, when: '2026-01-01T01:02:00+01:00' }])).toEqual([]);
});

test('a number never issued, or issued at another time or for other data, is a clash', () => {
  const record = recordOf([1, 2, 5]);
  expect(
    kinds(record, [
      signed(6),
      signed(3),
      { ...signed(2), when: when(9) },
      { ...signed(5), mark: ['live', 'other'] },
      { ...signed(1), mark: ['deleted'] },
    ]),
  ).toEqual(['6 never-issued', '3 never-issued', '2 other-time', '5 other-data', '1 other-data']);
  expect(kinds(undefined, [signed(1)])).toEqual(['1 never-issued']);
});

test('of versions that a record no longer keeps, the latest included, none is a clash', () => {
  const record = recordOf(Array.from({ length: 25 }, (_, index) => 2 * index + 1));
  expect(kinds(record, [10, 9, 8, 7].map(signed))).toEqual(['10 never-issued']);
});

test('below what a record has in full, only numbers that it has are compared', () => {
  const record = recordOfHistory('here', [signed(7), unmarked(signed(3))]);
  expect(kinds(record, [signed(5), signed(3), { ...signed(3), when: when(9) }, signed(8)])).toEqual([
    '3 other-time',
    '8 never-issued',
  ]);
});

test('two with the same signature agree up to the highest version below their first difference', () => {
  const record = recordOf([1, 2, 3, 4]);
  expect(agreedSequence(record, [signed(5), signed(4), signed(2)])).toBe(4);
  expect(agreedSequence(record, [signed(4), { ...signed(3), when: when(9) }, signed(2), signed(1)])).toBe(2);
  expect(agreedSequence(record, [signed(5)])).toBe(0);
});

test('versions are regarded as our own only if all that differ come after ours', () => {
  const record = recordOf([1, 2]);
  const accepted = recordAccepted(record, 'here', [signed(5), unmarked(signed(3)), signed(2)]);
  expect(accepted).toMatchObject({ highest: 5, completeAbove: 5 });
  expect(kinds(accepted, [signed(5), signed(4), signed(3), signed(2)])).toEqual([]);
  expect(recordAccepted(record, 'here', [signed(3), { ...signed(2), when: when(9) }])).toBeUndefined();
  expect(recordAccepted(recordOf([1, 5]), 'here', [signed(6), signed(3)])).toBeUndefined();
  expect(recordAccepted(undefined, 'here', [signed(1)])).toMatchObject({ highest: 1 });
});
