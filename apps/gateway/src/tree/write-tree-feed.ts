import { writeCseFeedEnd, writeCseFeedStart, writeCseItem, feedAddress, treeContent } from '#cse';
import { formatDateTime } from '#protocol';
import type { Collection, ItemId, StoredItem, TreeFeed } from '#core';
import { withEnd } from '../feeds/write-feed.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import type { TextPiece } from '../texts/text-piece.ts';
import { itemDates } from '#items';
import { linkAddress } from '#cse';

type WritingPorts = Pick<GatewayPorts, 'store' | 'publicUrl'>;

/**
 * The text of a feed in pieces: head, items as they are read, end. Its date is the one that has been carried
 * up to it, after every feed below it had that date; items that were published since say no later one.
 * Otherwise a reader could take a feed below for one that it has in step with a date which that feed does not
 * have yet. A feed with no date shows nothing.
 * @param feed as it was read before any of its items is
 */
export async function* writeTreeFeed(
  ports: WritingPorts,
  collection: Collection,
  { id, title, head, publishedAt }: TreeFeed,
): AsyncGenerator<TextPiece, void, undefined> {
  const { key } = collection;
  const text = writeCseFeedStart({
    title,
    head,
    selfUrl: feedAddress(ports.publicUrl, key, id),
    ...(publishedAt && { lastBuildDate: formatDateTime(publishedAt) }),
  });
  yield { text };
  if (publishedAt !== undefined) {
    const ids = await ports.store.items.childIds(key, id);
    yield* withEnd(treeItems(ports, collection, publishedAt, ids, 0), writeCseFeedEnd());
  } else yield { text: writeCseFeedEnd() };
}

/** The items with these ids, from one of them on; one without a date was never published. */
async function* treeItems(
  ports: WritingPorts,
  collection: Collection,
  publishedAt: Date,
  ids: readonly ItemId[],
  first: number,
): AsyncGenerator<TextPiece, void, undefined> {
  const { store, publicUrl } = ports;
  const { key } = collection;
  let place = first;
  for await (const step of store.items.loadInSteps(key, ids.slice(first))) {
    const shown = step.filter(({ deleted }) => !deleted);
    const dates = await itemDates(store, key, shown);
    for (const item of shown) {
      while (ids[place] !== item.id) place += 1;
      place += 1;
      const [date, next] = [dates.get(item.id), place];
      if (date === undefined) continue;
      yield {
        text: writeTreeItem(publicUrl, collection, item, date < publishedAt ? date : publishedAt),
        next: { key: next, read: () => treeItems(ports, collection, publishedAt, ids, next) },
      };
    }
  }
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
