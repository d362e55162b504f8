import { expect, test } from '@jest/globals';
import { announcedReason } from '#core';
import type { FeedHub, Subscription } from '#core';
import { decideAnnouncement } from './announcement.ts';

const now = new Date('2026-01-01T00:01:00Z');
const at = (second: number): Date => new Date(now.getTime() + second * 1000);
const hub = { url: 'https://hub.example/', topic: 'https://feeds.example/' };
const reader = { status: 'active', failures: 0, hub, nextFetchAt: at(500), nextFetchReason: 'x' } as const;

test.each<[string, Partial<FeedHub>, Partial<Subscription>, object]>([
  ['the first one', {}, {}, { kind: 'taken', at: now }],
  ['one after a while', { announcedAt: at(-10) }, {}, { kind: 'taken', at: now }],
  ['one soon after another', { announcedAt: at(-3) }, {}, { kind: 'taken', at: at(7) }],
  ['one that a fetch to come will see', { announcedAt: at(7) }, {}, { kind: 'collapsed' }],
  ['one of a feed that is due', { announcedAt: at(-3) }, { nextFetchAt: now }, { kind: 'taken', at: now }],
  [
    'one of a feed that is due because of another',
    { announcedAt: at(-3) },
    { nextFetchAt: at(-3), nextFetchReason: announcedReason },
    { kind: 'collapsed' },
  ],
  [
    'one during the fetch for another',
    { announcedAt: at(-3) },
    { nextFetchAt: at(-3), nextFetchReason: announcedReason, manifest: 'm' },
    { kind: 'taken', at: at(7) },
  ],
])('%s', (_what, known, more, expected) => {
  const given = { ...reader, hub: { ...hub, ...known }, ...more };
  expect(decideAnnouncement(given, now, 10_000)).toEqual(expected);
});

test('a feed that is paused or fails is not fetched for it', () => {
  expect(decideAnnouncement({ ...reader, status: 'paused' }, now, 10_000).kind).toBe('ignored');
  expect(decideAnnouncement({ ...reader, failures: 1 }, now, 10_000).kind).toBe('ignored');
});
