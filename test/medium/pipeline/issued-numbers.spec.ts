import { expect, test } from '@jest/globals';
import { payloadFromFields } from '#xml';
import { editItem } from '#items';
import type { FeedSyncContent } from '#feedsync';
import { collectionKey, itemId } from '#core';
import { feedPurge } from '../../../apps/publisher/src/purge-feeds.ts';
import { entry, feed } from './feed.ts';
import { usePipeline } from './use-pipeline.ts';

const purged = collectionKey('purged');

const pipeline = usePipeline({}, 'fetcher', 'merger', 'publisher');

/** Serves a feed with these entries, and a complete feed with the same. */
function serve(
  collection: string,
  sharing: { since: string; until: string },
  entries: readonly string[],
): void {
  const address = `/${collection}/complete`;
  pipeline.feeds.serve(
    `/${collection}`,
    feed(entries, { ...sharing, complete: pipeline.feeds.url(address) }),
  );
  pipeline.feeds.serve(address, feed(entries, { since: '000', until: sharing.until }));
}

/** Edits an item here at this hour; returns the sequence that the edit got. */
async function edit(
  name: string,
  hour: number,
  action: 'update' | 'create' = 'update',
): Promise<number | undefined> {
  const collection = await pipeline.store.collections.find(collectionKey(name));
  if (collection === undefined) throw new Error(`there is no collection ${name}`);
  const ports = {
    store: pipeline.store,
    now: () => new Date(Date.UTC(2026, 0, 1, hour)),
    publicUrl: 'http://here.example',
  };
  const payload = payloadFromFields('atom', { title: 'edited here' });
  const { content } = await editItem(
    ports,
    collection,
    itemId('x'),
    action === 'create' ? { action, id: itemId('x'), payload } : { action, payload },
  );
  const [latest] = (content as FeedSyncContent).sync.history;
  expect(latest?.by).toBe('test:here');
  return latest?.sequence;
}

/** Brings an item, edits it here (2), and brings what another endpoint makes of that (3). */
async function editInTurns(collection: string, more = ''): Promise<void> {
  serve(collection, { since: '000', until: '100' }, [entry('x', ['1 there'])]);
  await pipeline.subscribe(collection);
  await pipeline.fetch(collection);
  expect(await edit(collection, 2)).toBe(2);
  serve(collection, { since: '100', until: '200' }, [
    entry('x', ['3 other', '2 test:here', '1 there'], more),
  ]);
  await pipeline.fetch(collection);
  expect(await pipeline.items(collection)).toMatchObject({ x: { updates: 3, conflicts: 0 } });
}

/** Brings the item in its first version, and edits it: past the number that others hold. */
async function comeBack(collection: string, until: string): Promise<void> {
  serve(collection, { since: '000', until }, [entry('x', ['1 there'])]);
  await pipeline.fetch(collection);
  expect(await pipeline.items(collection)).toMatchObject({ x: { updates: 1 } });
  expect(await edit(collection, 4)).toBe(3);
  expect(await edit(collection, 5)).toBe(4);
}

test('an item that a resync discarded and that comes back is edited under a new number', async () => {
  await editInTurns('discarded');
  serve('discarded', { since: '300', until: '400' }, []);
  await pipeline.fetch('discarded');
  expect(await pipeline.items('discarded')).toEqual({});
  await comeBack('discarded', '500');
});

test('an item whose tombstone was purged is edited under a new number', async () => {
  await editInTurns('purged', 'deleted="true"');
  await pipeline.published(purged);
  const { store } = pipeline;
  const collection = await store.collections.find(purged);
  if (collection === undefined) throw new Error('there is no collection');
  await store.collections.update(purged, {
    title: 'To do',
    settings: { ...collection.settings, tombstoneAge: 604_800 },
  });
  const purge = feedPurge({ now: () => new Date(Date.now() + 30 * 86_400_000) }, 100);
  for (let run = 0; run < 3; run += 1) await purge({ store });
  expect(await pipeline.items('purged')).toEqual({});
  await comeBack('purged', '500');
});

test('an item of a collection that was removed and made anew is edited under a new number', async () => {
  await editInTurns('removed');
  await pipeline.store.collections.remove(collectionKey('removed'));
  expect(await pipeline.items('removed')).toEqual({});
  serve('removed', { since: '000', until: '100' }, [entry('x', ['1 there'])]);
  await pipeline.subscribe('removed');
  await comeBack('removed', '500');
});

test('an item that is created again under its old id gets a new number', async () => {
  await editInTurns('created');
  serve('created', { since: '300', until: '400' }, []);
  await pipeline.fetch('created');
  expect(await edit('created', 6, 'create')).toBe(3);
});
