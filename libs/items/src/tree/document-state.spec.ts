import { describe, expect, test } from '@jest/globals';
import { collectionKey } from '#core';
import type { TreeDocument, TreeLink } from '#core';
import { counts, documentState, linkState } from './document-state.ts';

const date = '2026-01-02T00:00:00Z';
const copy = { lastBuildDate: date, digest: 'd', length: 1, base: 'http://a.example/x', isFeed: false };
const failure = { rule: 'http-status', reason: 'It answers 404.' };
const document = (more: Partial<TreeDocument>): TreeDocument => ({
  collection: collectionKey('c'),
  url: 'http://a.example/x',
  isFeed: false,
  onDemand: false,
  isRequested: false,
  lastBuildDate: date,
  ...more,
});
const link = (more: Partial<TreeLink> = {}): TreeLink => ({
  place: { child: 0, start: 0, end: 0 },
  nestedFeed: false,
  onDemand: false,
  url: 'http://a.example/x',
  ...more,
});

test.each([
  ['cached', 'has a copy in step with its date', { copy }],
  ['cached', 'is on demand and has been fetched', { copy, onDemand: true, isRequested: true }],
  ['stale', 'has a copy of an earlier date', { copy: { ...copy, lastBuildDate: '2026-01-01T00:00:00Z' } }],
  ['stale', 'has a copy, and its newer version could not be had', { copy, failure }],
  ['failed', 'could not be had', { failure }],
  ['failed', 'was requested and could not be had', { failure, onDemand: true, isRequested: true }],
  ['on-demand', 'is not downloaded unless somebody asks', { onDemand: true }],
  ['waiting', 'was requested', { onDemand: true, isRequested: true }],
  ['waiting', 'is yet to be downloaded', {}],
] as const)('a document is %s that %s', (state, _what, more) => {
  expect(documentState(document(more))).toBe(state);
});

describe('a link', () => {
  test('of a mirror has the state of its document, and says what it waits for before there is one', () => {
    expect(linkState(link(), [link()], true, document({ failure }))).toBe('failed');
    expect(linkState(link(), [link()], true)).toBe('waiting');
    expect(linkState(link({ onDemand: true }), [link()], true)).toBe('on-demand');
  });

  test(
    'of a tree of our own is cached if it refers to a resource of ours, and has no state if it leads ' +
      'elsewhere',
    () => {
      expect(linkState(link({ target: { feed: 'a' } }), [link()], false)).toBe('cached');
      expect(linkState(link(), [link()], false)).toBeUndefined();
    },
  );

  test('beside a nested feed does not count, nor do two nested feeds', () => {
    const [file, feed, other] = [link(), link({ nestedFeed: true }), link({ nestedFeed: true })];
    expect([file, feed].map((one) => counts(one, [file, feed]))).toEqual([false, true]);
    expect([feed, other].map((one) => counts(one, [feed, other]))).toEqual([false, false]);
    expect(linkState(file, [file, feed], true, document({ copy }))).toBeUndefined();
  });
});
