import { expect, test } from '@jest/globals';
import { announcedReason } from '#core';
import type { FeedHub } from '#core';
import { trustInHub } from './hub-trust.ts';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const hub = { url: 'https://hub.example/', topic: 'https://feeds.example/' };
const last = { at: at(10), outcome: 'fetched' } as const;

test.each<[string, Partial<FeedHub>, string, boolean, [announces: boolean, hasMissed: boolean]]>([
  ['a hub that has announced nothing yet', { leasedUntil: at(90) }, 'x', true, [false, false]],
  ['one that announced this change', { leasedUntil: at(90), announcedAt: at(11) }, 'x', true, [true, false]],
  [
    'one that announced it while the last fetch was in progress',
    { leasedUntil: at(90), announcedAt: at(9) },
    announcedReason,
    true,
    [true, false],
  ],
  ['one whose feed is as it was', { leasedUntil: at(90), announcedAt: at(5) }, 'x', false, [true, false]],
  [
    'one that announced what does not exist yet',
    { leasedUntil: at(90), announcedAt: at(11) },
    'x',
    false,
    [false, false],
  ],
  ['one that missed this change', { leasedUntil: at(90), announcedAt: at(5) }, 'x', true, [false, true]],
  [
    'one that has missed one',
    { leasedUntil: at(90), announcedAt: at(5), missedAt: at(6) },
    'x',
    false,
    [false, false],
  ],
  [
    'one that has announced one since',
    { leasedUntil: at(90), announcedAt: at(8), missedAt: at(6) },
    'x',
    false,
    [true, false],
  ],
  ['one whose lease has ended', { leasedUntil: at(20), announcedAt: at(5) }, 'x', false, [false, false]],
  ['one that has no lease', { announcedAt: at(5) }, 'x', false, [false, false]],
])('%s', (_what, known, nextFetchReason, hasChanged, [announces, hasMissed]) => {
  const subscription = { hub: { ...hub, ...known }, last, nextFetchReason };
  expect(trustInHub(subscription, hasChanged, at(20))).toEqual({ announces, hasMissed });
});

test('a feed without a hub is left to none', () => {
  expect(trustInHub({ nextFetchReason: announcedReason }, true, at(20)).announces).toBe(false);
});
