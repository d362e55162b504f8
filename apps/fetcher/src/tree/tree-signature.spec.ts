import { expect, test } from '@jest/globals';
import type { CachedCopy } from '#core';
import { treeSignature } from './tree-signature.ts';

const date = '2026-01-02T00:00:00Z';
const copy: CachedCopy = {
  lastBuildDate: date,
  digest: 'd',
  length: 1,
  base: 'http://a.example/',
  isFeed: true,
};
const root = { url: 'root', isFeed: true, onDemand: false, isRequested: false, lastBuildDate: date, copy };
const file = { ...root, url: 'file', isFeed: false, copy: { ...copy, isFeed: false } };

test('the order of the documents does not count', async () => {
  const signature = await treeSignature([1], [root, file]);
  expect(signature).toMatch(/^[0-9a-f]{64}$/);
  expect(await treeSignature([1], [file, root])).toBe(signature);
});

test.each([
  ['a setting', [2], [root, file]],
  ['a document more', [1], [root, file, { ...file, url: 'other' }]],
  ['other bytes', [1], [root, { ...file, copy: { ...file.copy, digest: 'e' } }]],
  ['another base', [1], [root, { ...file, copy: { ...file.copy, base: 'http://b.example/' } }]],
  ['what was merged', [1], [{ ...root, merged: 'm' }, file]],
  ['a request', [1], [root, { ...file, isRequested: true }]],
])('%s makes another signature', async (_what, settings, documents) => {
  expect(await treeSignature(settings, documents)).not.toBe(await treeSignature([1], [root, file]));
  expect(await treeSignature(settings, documents)).toBeDefined();
});

test('validators do not count', async () => {
  const changed = { ...file, copy: { ...file.copy, etag: '"1"' } };
  expect(await treeSignature([], [root, changed])).toBe(await treeSignature([], [root, file]));
});

test.each([
  ['failed', { failure: { rule: 'http-status', reason: 'the server responded with 404' } }],
  ['is not in the cache', { copy: undefined }],
  ['is older than the newest item that links to it', { lastBuildDate: '2026-01-03T00:00:00Z' }],
  ['is a feed that was not read as one', { isFeed: true }],
  ['was dropped', { dropped: 'm1' }],
  ['is requested, on demand, and missing', { onDemand: true, isRequested: true, copy: undefined }],
])('a tree has none if a document %s', async (_what, change) => {
  expect(await treeSignature([], [root, { ...file, ...change }])).toBeUndefined();
});

test('what is on demand and not requested need not be there', async () => {
  expect(await treeSignature([], [root, { ...file, onDemand: true, copy: undefined }])).toBeDefined();
});
