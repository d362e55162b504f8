import { expect, test } from '@jest/globals';
import { feedWindow } from './feed-window.ts';

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
    });
  },
);

test('an age lets go of what was published before it', () => {
  expect(feedWindow({ ...settings, windowAge: 604_800 }, 0, now)).toEqual({
    since: 0,
    items: 5,
    keptSince: new Date('2026-01-07T00:00:00Z'),
    leftBefore: new Date('2026-01-01T00:00:00Z'),
  });
});
