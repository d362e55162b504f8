import { expect, test } from '@jest/globals';
import { readArguments } from './arguments.ts';
import { rows } from './rows/index.ts';
import { scaleRows } from './rows/scale/index.ts';

const names = (measured: readonly { readonly name: string }[]): string[] => measured.map(({ name }) => name);

test('every row is measured five times in full size unless something else is requested', () => {
  expect(readArguments([])).toEqual({
    rows: [...rows, ...scaleRows],
    countsGrowth: true,
    scale: { rounds: 5, size: 1 },
    out: '.feedmesh/bench',
  });
});

test('the short form is two rounds of a tenth, without the rows of scale unless they are named', () => {
  expect(readArguments(['--short'])).toMatchObject({ rows, scale: { rounds: 2, size: 0.1 } });
  const [first] = names(scaleRows);
  expect(names(readArguments(['--short', '--row', first ?? '']).rows)).toEqual([first]);
});

test('rows are named', () => {
  expect(names(readArguments(['--row', 'poll', '--row', 'edit']).rows)).toEqual(['poll', 'edit']);
});

test('what is counted is a row of its own', () => {
  expect(readArguments(['--row', 'poll'])).toMatchObject({ rows: [{ name: 'poll' }], countsGrowth: false });
  expect(readArguments(['--row', 'growth'])).toMatchObject({ rows: [], countsGrowth: true });
  expect(readArguments(['--short', '--uncounted'])).toMatchObject({ rows, countsGrowth: false });
});

test.each([
  ['--row nothing', '--row must be one of idle, start, first-sync,'],
  ['--rounds 0', '--rounds must be a whole number from 1 on; got 0'],
  ['--rounds some', '--rounds must be a whole number from 1 on; got some'],
  ['--size 0', '--size must be a number above 0; got 0'],
])('%s is refused', (text, message) => {
  expect(() => readArguments(text.split(' '))).toThrow(message);
});
