import { cseHead } from '#cse';
import { synchronisationNamespaces } from '#protocols';
import type { Violation } from '#xml';
import type { ParsedCseItem } from '#cse';
import { ContentError, fitting, inSlices, itemLetterId, reportedViolations } from '#core';
import type { CachedCopy, Collection, SubscriptionId } from '#core';
import { isolate } from '../isolate.ts';
import { rejectionOf } from '../merge-versions.ts';
import { feedIdOf } from './feed-id.ts';
import { orderFeed } from './feed-order.ts';
import type { MirrorPorts } from './mirror-ports.ts';
import { readParsedFeed } from './parsed-feed.ts';
import { deleteTreeItems } from './tombstones.ts';
import { writeTreeItems } from './write-tree-items.ts';
import type { MirrorCounts, MirroredFeed, MirroredItem } from './write-tree-items.ts';

/** The feed to mirror: its URL, that of the root of its tree, and the subscription that brings it. */
interface MirrorSource {
  readonly subscription: SubscriptionId;
  readonly url: string;
  readonly root: string;
}

/**
 * What mirroring a feed came to. Where anything is `lost`, the feed is to be mirrored again once the next
 * walk has downloaded it, though nothing in it changes.
 */
interface MirrorReport extends MirrorCounts {
  /** How many items the feed has, each guid once. */
  readonly items: number;
  /** How many of them could not be stored, and are in the dead letters. */
  readonly refused: number;
  /** Where the feed departs from the rules, the first `reportedViolations`. */
  readonly violations: readonly Violation[];
}

/** What is written in one go: so many items, or fewer with so many links. */
const batchItems = 200;
const batchLinks = 5000;

/** How much of the head of a feed is kept, in UTF-16 code units, so that it can be stored. */
const titleLength = 10_000;
const headLength = 4_194_304;

/**
 * Brings the items of one feed of a tree in step with its copy in the cache (CSE, Sync Algorithm and Item
 * deletion):
 *
 *     parsed copy ─read─▶ order, keys, what is gone ─▶ TreeFeed
 *                 ─read─▶ batches ─decide each─▶ compare-and-set ─▶ tombstones of what is gone
 *
 * It holds no more than a batch of its items, and parses nothing: that was done when the feed was downloaded
 * (`keepFeed`). An item is written once everything that it links to, and that is not on demand, has a copy
 * that is in step with it; until then it stays as it was, so that no reader sees an item whose files are half
 * there. An item that can't be stored goes to the dead letters, and its neighbours are not held up
 * (`isolate`). Running it twice changes nothing more. A feed without a copy, or with one that can't be read,
 * is left as it is.
 */
export async function mirrorFeed(
  ports: MirrorPorts,
  collection: Collection,
  { subscription, url, root }: MirrorSource,
): Promise<MirrorReport> {
  const { documents } = ports.store;
  const nothing = { items: 0, refused: 0, changed: 0, incomplete: 0, lost: 0, violations: [] };
  const copy = (await documents.load(collection.key, [url])).get(url)?.copy;
  if (copy === undefined) return { ...nothing, lost: 1 };
  try {
    return await mirrorCopy(ports, collection, { feed: feedIdOf(url, root), root, subscription }, url, copy);
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    await documents.forget(collection.key, [url]);
    return { ...nothing, lost: 1 };
  }
}

async function mirrorCopy(
  ports: MirrorPorts,
  collection: Collection,
  mirrored: MirroredFeed,
  url: string,
  copy: CachedCopy,
): Promise<MirrorReport> {
  const { store, now, heartbeat } = ports;
  const violations: Violation[] = [];
  const read = (take: (items: readonly ParsedCseItem[]) => Promise<void> | void) =>
    readParsedFeed(store.contents, collection.key, copy, take);
  const { feed: document, head } = await read((items) => {
    for (const item of items)
      violations.push(...item.violations.slice(0, reportedViolations - violations.length));
  });
  const { title, markup } = cseHead(head, copy.base, synchronisationNamespaces);
  // Before its items: what is published in it raises its date only if it is.
  await store.feeds.put({
    collection: collection.key,
    id: mirrored.feed,
    title: title.slice(0, titleLength),
    head: fitting(markup, headLength, ({ length }) => length),
    url,
    createdAt: now(),
  });
  const stored = await store.items.children(collection.key, [mirrored.feed]);
  const { ids, keys, gone } = await inSlices(orderFeed(mirrored.feed, document, stored));

  const counts: MirrorCounts[] = [];
  let batch: MirroredItem[] = [];
  let refused = 0;
  const refuse = async ({ id, parsed: { line } }: MirroredItem, error: unknown): Promise<void> => {
    const violation = rejectionOf(error, 'merge-failed', 'CSE Sync Algorithm', { line, column: 1 });
    await store.deadLetters.add([
      {
        id: itemLetterId(collection.key, mirrored.subscription, id),
        collection: collection.key,
        subscription: mirrored.subscription,
        kind: 'item',
        violations: [violation],
        at: now(),
      },
    ]);
    if (violations.length < reportedViolations) violations.push(violation);
    refused += 1;
  };
  const write = async (): Promise<void> => {
    await isolate(
      batch,
      async (items) => void counts.push(await writeTreeItems(ports, collection, mirrored, items)),
      refuse,
    );
    batch = [];
    await heartbeat();
  };
  let number = 0;
  await read(async (items) => {
    for (const parsed of items) {
      const id = ids.get(number);
      number += 1;
      if (id === undefined) continue;
      const key = keys.get(id);
      batch.push({ id, parsed, ...(key !== undefined && { key }) });
      if (isFull(batch)) await write();
    }
  });
  await write();
  const deleted = await deleteTreeItems(ports, collection, gone);
  const exceeded = counts.find((one) => one.exceeded !== undefined)?.exceeded;
  const sum = (name: 'changed' | 'incomplete' | 'lost'): number =>
    counts.reduce((total, one) => total + one[name], 0);
  return {
    items: ids.size,
    refused,
    changed: sum('changed') + deleted,
    incomplete: sum('incomplete'),
    lost: sum('lost'),
    violations,
    ...(exceeded && { exceeded }),
  };
}

function isFull(batch: readonly MirroredItem[]): boolean {
  return (
    batch.length >= batchItems ||
    batch.reduce((total, { parsed }) => total + parsed.links.length, 0) >= batchLinks
  );
}
