import { expect, test } from '@jest/globals';
import { feedsyncDialect, merge, readItem } from '#feedsync';
import { FeedScanner } from '#xml';
import { conflictFeed } from './conflict-feed.ts';

function itemOf(texts: Iterable<string>) {
  const scanner = new FeedScanner(feedsyncDialect, {});
  const [fragment] = scanner.write([...texts].join(''));
  scanner.end();
  const read = fragment && readItem(fragment);
  if (read?.kind !== 'item') throw new Error('there is no item');
  return read.item;
}

test('an item has as many conflicts as requested, and keeps those of another one beside them', () => {
  const [stored, incoming] = ['a', 'b'].map((name) => itemOf(conflictFeed(20, name)));
  if (stored === undefined || incoming === undefined) throw new Error('there are no items');
  expect([stored.conflicts.length, incoming.conflicts.length]).toEqual([20, 20]);
  expect(merge(stored, incoming).item.conflicts).toHaveLength(41);
});
