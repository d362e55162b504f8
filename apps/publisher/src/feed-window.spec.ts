import { expect, test } from '@jest/globals';
import { feedWindow, publishedWindow } from './feed-window.ts';

const now = new Date('2026-01-08T00:00:00Z');
const settings = { windowItems: 5, expiresAfter: 86_400, cleanUpHistory: false };

test(
  'a window keeps what was published within the span of "expires", and as many items as the settings ' +
    'say',
  () => {
    expect(feedWindow(settings, 7, now)).toEqual({
      since: 7,
      items: 5,
      keptSince: new Date('2026-01-07T00:00:00Z'),
      limit: 10_000,
    });
  },
);

test('an age lets go of what was published before it', () => {
  expect(feedWindow({ ...settings, windowAge: 604_800 }, 0, now)).toEqual({
    since: 0,
    items: 5,
    keptSince: new Date('2026-01-07T00:00:00Z'),
    leftBefore: new Date('2026-01-01T00:00:00Z'),
    limit: 10_000,
  });
});

test('a window has a limit that is never below what it is to hold', () => {
  expect(feedWindow({ ...settings, windowLimit: 7 }, 0, now).limit).toBe(7);
  expect(feedWindow({ ...settings, windowItems: 20_000 }, 0, now).limit).toBe(20_000);
});

test('the limit is looked at for each tenth of it that is published, once it can be exceeded', () => {
  const window = feedWindow({ ...settings, windowLimit: 100 }, 1000, now);
  const isLookedAt = (from: number, to: number): boolean =>
    publishedWindow(window, { from, to }).limit !== undefined;
  expect([isLookedAt(1000, 1100), isLookedAt(1099, 1101)]).toEqual([false, true]);
  expect([isLookedAt(1101, 1109), isLookedAt(1109, 1110), isLookedAt(1101, 1500)]).toEqual([
    false,
    true,
    true,
  ]);
});
