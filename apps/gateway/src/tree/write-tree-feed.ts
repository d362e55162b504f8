import { writeCseFeedEnd, writeCseFeedStart, writeCseItem, feedAddress, treeContent } from '#cse';
import { formatDateTime } from '#protocol';
import type { Collection, StoredItem } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { itemDates } from './item-dates.ts';
import { linkAddress } from '#cse';
import type { TreeFeedAnswer } from './tree-feed.ts';

type WritingPorts = Pick<GatewayPorts, 'store' | 'publicUrl'>;

/** The text of a feed in pieces: head, items as they are read, end. */
export async function* writeTreeFeed(
  { store, publicUrl }: WritingPorts,
  collection: Collection,
  { feed, items }: TreeFeedAnswer,
): AsyncGenerator<string, void, undefined> {
  const { key } = collection;
  const { id, title, head, publishedAt } = feed;
  yield writeCseFeedStart({
    title,
    head,
    selfUrl: feedAddress(publicUrl, key, id),
    ...(publishedAt && { lastBuildDate: formatDateTime(publishedAt) }),
  });
  for await (const step of store.items.loadInSteps(key, items)) {
    const dates = await itemDates(store, key, step);
    for (const item of step) {
      const date = dates.get(item.id);
      // It may have been deleted since its feed was looked at.
      if (item.deleted || date === undefined || publishedAt === undefined) continue;
      yield writeTreeItem(publicUrl, collection, item, date < publishedAt ? date : publishedAt);
    }
  }
  yield writeCseFeedEnd();
}

/** A feed with one item as it stands in our feeds, and with no other. */
export async function treeItemFeed(
  { store, publicUrl }: WritingPorts,
  collection: Collection,
  item: StoredItem,
): Promise<string> {
  const date = (await itemDates(store, collection.key, [item])).get(item.id) ?? item.updatedAt;
  const start = writeCseFeedStart({
    title: collection.title,
    selfUrl: feedAddress(publicUrl, collection.key, treeContent(item.content).feed),
    head: [],
  });
  return start + writeTreeItem(publicUrl, collection, item, date) + writeCseFeedEnd();
}

function writeTreeItem(publicUrl: string, collection: Collection, item: StoredItem, date: Date): string {
  const content = treeContent(item.content);
  return writeCseItem(content, {
    lastBuildDate: formatDateTime(date),
    places: content.links.map(({ place }) => place),
    addresses: content.links.map((link) => linkAddress(publicUrl, collection, link)),
  });
}
