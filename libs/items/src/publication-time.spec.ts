import { expect, test } from '@jest/globals';
import { publicationTime } from './publication-time.ts';

const last = new Date('2026-01-01T12:00:00Z');

test.each([
  ['one a while later', '2026-01-01T12:00:07.500Z', last, '2026-01-01T12:00:07.000Z'],
  ['a second one within the same second', '2026-01-01T12:00:00.999Z', last, '2026-01-01T12:00:01.000Z'],
  ['one after the clock went back', '2025-12-31T12:00:00Z', last, '2026-01-01T12:00:01.000Z'],
  [
    'one after a publication that was not in whole seconds',
    '2026-01-01T12:00:00.999Z',
    new Date('2026-01-01T12:00:00.500Z'),
    '2026-01-01T12:00:01.000Z',
  ],
] as const)('%s has a time in whole seconds that is later than the last', (_what, now, before, time) => {
  expect(publicationTime(new Date(now), before).toISOString()).toBe(time);
});
