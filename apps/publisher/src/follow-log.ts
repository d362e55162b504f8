import { itemId, lastSequenceOf } from '#core';
import type { Collection, LoggedBlock, Store } from '#core';
import { isFeedTree } from '#protocols';
import { feedWindow, publishedWindow } from './feed-window.ts';
import { propagateDates } from './propagate-dates.ts';
import { blockBytesOf } from './publish-ports.ts';
import type { PublishPorts, PublishSettings } from './publish-ports.ts';
import { earliest } from './times.ts';
import { tombstonesDue } from './tombstone-age.ts';
import { windowEdge } from './window-edge.ts';

/**
 * Does for the blocks in the log what comes after them, in their order: the dates of a tree are carried up,
 * the events are sent to the stream, and the window moves (FeedSync 4.2.3, 4.2.4). Several publishers may do
 * the same: the stream takes no event twice, and nothing that is recorded becomes smaller.
 */
export async function followLog(
  ports: PublishPorts,
  settings: PublishSettings,
  collection: Collection,
): Promise<void> {
  const { store } = ports;
  const { key, publication } = collection;
  const { sequence, relayed } = publication;
  if (relayed >= sequence) return;
  let begin: Date | undefined;
  for (let last = relayed; last < sequence;) {
    const blocks = await store.changes.blocks(key, last, blockBytesOf(settings));
    const [next, latest] = [blocks[0], blocks.at(-1)];
    // Others have followed and removed them, or the collection.
    if (next === undefined || latest === undefined) break;
    begin ??= next.at;
    await followBlocks(ports, collection, blocks);
    last = lastSequenceOf(latest);
    if (last < sequence) await store.collections.follow(key, { relayed: last, since: 0 });
  }
  if (begin !== undefined) await moveWindow(ports, collection, begin);
  if (sequence > settings.retention) await store.changes.prune(key, sequence - settings.retention);
}

async function followBlocks(
  { store, stream, clock, observeRelayed }: PublishPorts,
  collection: Collection,
  blocks: readonly LoggedBlock[],
): Promise<void> {
  if (isFeedTree(collection)) for (const block of blocks) await propagateDatesOf(store, collection, block);
  const events = blocks.flatMap((block) => block.events);
  await stream.append(collection.key, events);
  observeRelayed?.(collection.key, events, clock.now());
}

/** The date of a block is above its feeds before that of a later one. */
async function propagateDatesOf(
  store: Pick<Store, 'items' | 'feeds'>,
  { key }: Collection,
  { events, heads = [], at }: LoggedBlock,
): Promise<void> {
  const items = events
    .filter(({ type }) => type.startsWith('feedmesh.item.'))
    .map(({ subject, sequence }) => ({ id: itemId(subject), sequence: Number(sequence) }));
  await propagateDates(store, key, { items, heads }, at);
}

/** @param begin when the first of the blocks was published */
async function moveWindow(
  { store, clock }: PublishPorts,
  collection: Collection,
  begin: Date,
): Promise<void> {
  const { key, settings, publication } = collection;
  const now = clock.now();
  const steps = { from: publication.relayed, to: publication.sequence };
  const window = publishedWindow(feedWindow(settings, publication.since, now), steps);
  const { since, nextAt } = await windowEdge(store.items, collection, window, now);
  const purgeAt = earliest(nextAt, tombstonesDue(collection, begin));
  await store.collections.follow(key, { relayed: publication.sequence, since }, purgeAt);
}
