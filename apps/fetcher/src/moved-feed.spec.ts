import { expect, test } from '@jest/globals';
import type { SealedCredentials } from '#core';
import { decideMove } from './moved-feed.ts';

const week = 604_800_000;
const since = new Date('2026-01-01T00:00:00Z');
const [url, there] = ['https://a.example/feed', 'https://b.example/feed'];
const at = (milliseconds: number): Date => new Date(since.getTime() + milliseconds);
const move = { url: there, since };

test.each([
  ['no redirect', {}, undefined, 0, { kind: 'nothing' }],
  ['the first permanent redirect', {}, there, 0, { kind: 'remember', move }],
  ['the same within a week', { move }, there, week - 1, { kind: 'nothing' }],
  ['the same after a week', { move }, there, week, { kind: 'follow', url: there }],
  [
    'another place after a week',
    { move },
    `${there}/2`,
    week,
    { kind: 'remember', move: { url: `${there}/2`, since: at(week) } },
  ],
  ['no redirect any more', { move }, undefined, week, { kind: 'forget' }],
  ['a redirect that comes back', { move }, url, week, { kind: 'forget' }],
] as const)('%s', (_, former, movedTo, later, decision) => {
  expect(decideMove({ url, ...former }, movedTo, at(later), week)).toEqual(decision);
});

test('a feed that is read with credentials does not follow to another origin', () => {
  const credentials: SealedCredentials = { kind: 'basic', origin: 'https://a.example', key: 'k', sealed: '' };
  expect(decideMove({ url, credentials }, there, since, week)).toEqual({ kind: 'nothing' });
  const near = `${url}/2`;
  expect(decideMove({ url, credentials, move: { url: near, since } }, near, at(week), week)).toEqual({
    kind: 'follow',
    url: near,
  });
});
