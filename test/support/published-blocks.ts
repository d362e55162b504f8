import type { ChangeEvent } from '#contracts';
import { formatCursor } from '#contracts';
import { sampleCollection } from '#in-memory';
import type { ChangeBlock, CollectionKey, LoggedBlock, PublishedItem, Store } from '#core';

/** The block with the highest sequences in a log. */
export async function lastBlock(
  { changes }: Pick<Store, 'changes'>,
  key: CollectionKey,
): Promise<LoggedBlock | undefined> {
  return (await changes.blocks(key, 0, Infinity)).at(-1);
}

/** Publishes a block, in a collection that is created if it is missing; returns whether it was published. */
export async function publishBlock(
  { collections }: Pick<Store, 'collections'>,
  block: ChangeBlock,
): Promise<boolean> {
  await collections.create(sampleCollection({ key: block.collection }));
  const former = await collections.find(block.collection);
  return former !== undefined && collections.publish(former, block);
}

/** Publishes items with sequences of their own, in the order in which they are given. */
export async function publishItems(
  store: Pick<Store, 'collections'>,
  collection: CollectionKey,
  items: readonly PublishedItem[],
  at: Date,
): Promise<void> {
  for (const item of items) {
    const events = [changeOf(item)];
    await publishBlock(store, { collection, first: item.sequence, events, items: [item], notices: [], at });
  }
}

function changeOf({ id, sequence, deleted, conflictCount }: PublishedItem): ChangeEvent {
  return {
    specversion: '1.0',
    id: `test:${formatCursor(sequence)}`,
    source: 'urn:feedmesh:test',
    subject: id,
    type: 'feedmesh.item.updated.v1',
    time: new Date(0).toISOString(),
    datacontenttype: 'application/json',
    sequence: formatCursor(sequence),
    data: { updates: 1, deleted, conflictCount, itemUrl: '' },
  };
}
