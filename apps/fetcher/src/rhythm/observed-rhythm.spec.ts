import { expect, test } from '@jest/globals';
import { observedRhythm } from './observed-rhythm.ts';

const hour = 3_600_000;
const now = new Date('2026-01-05T12:00:00Z');
const createdAt = new Date(now.getTime() - 8 * hour);
const rhythm = { since: createdAt, at: createdAt, changes: 0, recent: 0, week: '' };
const last = { at: new Date(now.getTime() - 4 * hour), outcome: 'not-modified' as const };
const ago = (hours: number): number => now.getTime() - hours * hour;

test('a feed that is read first begins with the dates of its items', () => {
  expect(observedRhythm({ createdAt }, { now, isChanged: true, dates: [ago(1), ago(30)] })).toMatchObject({
    since: new Date(ago(30)),
    at: new Date(ago(1)),
  });
});

test('a poll that brought nothing leaves nothing to store', () => {
  expect(observedRhythm({ createdAt, rhythm, last }, { now, isChanged: false, dates: [ago(1)] })).toBe(
    undefined,
  );
});

test.each([
  ['items of since the last poll', { dates: [ago(1), ago(100)], lastModified: '' }, ago(1)],
  ['no such items', { dates: [ago(100)], lastModified: new Date(ago(2)).toUTCString() }, ago(2)],
  ['nothing of since then', { dates: [ago(-1)], lastModified: new Date(ago(9)).toUTCString() }, ago(0)],
])('the time of a change is that of %s', (_what, said, at) => {
  const learned = observedRhythm({ createdAt, rhythm, last }, { now, isChanged: true, ...said });
  expect(learned).toMatchObject({ since: createdAt, at: new Date(at), changes: 1 });
});
