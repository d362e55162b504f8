import { expect, test } from '@jest/globals';
import { DueFrom } from './due-from.ts';

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);

test('a look begins a little before what the last one found, or where that began if it found nothing', () => {
  const dueFrom = new DueFrom();
  expect(dueFrom.at(at(0))).toBeUndefined();
  dueFrom.note(undefined, at(0), at(1), at(-100));
  expect(dueFrom.at(at(1))).toEqual(at(-101));
  dueFrom.note(at(-101), at(1), at(2), at(-50));
  expect(dueFrom.at(at(2))).toEqual(at(-51));
  dueFrom.note(at(-51), at(2), at(3));
  expect(dueFrom.at(at(3))).toEqual(at(1));
});

test('looks at everything take a twentieth of the time, and one comes every five seconds', () => {
  const dueFrom = new DueFrom();
  dueFrom.note(undefined, at(0), at(0.1), at(0));
  expect(dueFrom.at(at(1.9))).toBeDefined();
  expect(dueFrom.at(at(2))).toBeUndefined();
  // Other looks put nothing off.
  dueFrom.note(at(-10), at(1), at(1.9), at(0));
  expect(dueFrom.at(at(2))).toBeUndefined();
  dueFrom.note(undefined, at(2), at(4), at(0));
  expect(dueFrom.at(at(8.9))).toBeDefined();
  expect(dueFrom.at(at(9))).toBeUndefined();
});

test('where looks cost nothing, each is at everything', () => {
  const dueFrom = new DueFrom();
  dueFrom.note(undefined, at(0), at(0), at(0));
  expect(dueFrom.at(at(0))).toBeUndefined();
});
