import { describe, expect, test } from '@jest/globals';
import { payloadFromFields } from '#xml';
import { feedsyncProtocol } from '#feedsync';
import type { FeedSyncContent } from '#feedsync';
import { sampleCollection } from '#in-memory';
import { collectionKey, itemId } from '#core';
import { checkSignatures, clashViolation } from './check-signatures.ts';
import type { SignedItem } from './check-signatures.ts';

const [ours, retired, theirs] = ['here', 'here.before', 'there'];
const collection = {
  ...sampleCollection({ key: collectionKey('todo'), createdAt: new Date(0) }),
  endpoint: ours,
};
const at = (second: number): string => `2026-01-01T00:00:0${second}Z`;

/** The item once this endpoint has edited it; it creates it if there is none. */
function edited(content: FeedSyncContent | undefined, by: string, second: number): FeedSyncContent {
  const payload = payloadFromFields('atom', { title: `Milk, ${by}, ${second}` });
  const action = content === undefined ? 'create' : 'update';
  const edit = { action, id: itemId('milk'), payload } as const;
  return feedsyncProtocol.edit(content, edit, { by, when: at(second) }, collection.settings);
}

const stored = (content: FeedSyncContent): SignedItem => ({ content, records: undefined });
const signers = ({ content }: SignedItem): unknown => (content as FeedSyncContent).sync.history;

describe('a version that has our identifier', () => {
  const first = edited(undefined, ours, 1);
  const item = stored(first);

  test('is no clash if it was made here, or if only others have edited it since', () => {
    for (const incoming of [first, edited(first, theirs, 2)])
      expect(checkSignatures(collection, item, incoming, false)).toBe(item);
  });

  test('is a clash if it was not made here, unless a person says that it is ours', () => {
    const incoming = edited(first, ours, 2);
    const signature = { sequence: 2, when: at(2) };
    expect(checkSignatures(collection, item, incoming, false)).toMatchObject({
      kind: 'never-issued',
      signature,
    });
    expect(checkSignatures(collection, item, incoming, true)).toMatchObject({
      content: first,
      records: [{ by: ours, highest: 2 }],
    });
  });

  test('is a clash whatever a person says, if it has the number of another version', () => {
    const other = edited(undefined, ours, 2);
    expect(checkSignatures(collection, item, other, true)).toMatchObject({ kind: 'other-time' });
  });
});

describe('a version that has an identifier we had before', () => {
  const first = edited(undefined, retired, 1);
  const former = { ...collection, retiredEndpoints: [retired] };

  test('changes nothing if it is one of ours', () => {
    const item = stored(edited(first, retired, 2));
    expect(checkSignatures(former, item, first, false)).toBe(item);
  });

  test('leaves it to others: our versions that differ from theirs get the present one', () => {
    const item = stored(edited(first, retired, 2));
    const checked = checkSignatures(former, item, edited(first, retired, 3), false);
    if ('kind' in checked) throw new Error(`refused as ${checked.kind}`);
    expect(signers(checked)).toEqual([
      { sequence: 2, by: ours, when: at(2) },
      { sequence: 1, by: retired, when: at(1) },
    ]);
    expect(checked.records).toMatchObject([
      { by: retired, versions: [{ sequence: 1 }] },
      { by: ours, highest: 2 },
    ]);
  });
});

test('a clash says whose identifier and which version it is about, with its time if it has one', () => {
  const violation = (signature: { readonly sequence: number; readonly when?: string }) =>
    clashViolation(collection, { kind: 'never-issued', signature }, { line: 7, column: 3 });
  expect(violation({ sequence: 2, when: at(2) })).toMatchObject({
    section: 'FeedSync 2.1.1',
    line: 7,
    column: 3,
  });
  expect(violation({ sequence: 2, when: at(2) }).message).toContain(
    `of "todo", ${ours}, but its version 2 of ${at(2)} was not made here`,
  );
  expect(violation({ sequence: 2 }).message).toContain('but its version 2 was not made here');
});
