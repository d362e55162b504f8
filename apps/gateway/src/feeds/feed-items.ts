import { entryIn } from '#items';
import { isOrdered } from '#protocol';
import type { Collection, FeedItem } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import type { Feed } from './current-feed.ts';
import { orderedItems } from './ordered-items.ts';

type Entries = AsyncIterable<Pick<FeedItem, 'entry'>>;

/**
 * The published items of a feed: as they are stored in the collection's own format, converted as they are
 * read in the other. In the order of the collection if it has one, otherwise in that of their publication.
 */
export function feedItems(
  { store, publicUrl }: Pick<GatewayPorts, 'store' | 'publicUrl'>,
  collection: Collection,
  { head, since }: Feed,
): Entries {
  if (isOrdered(collection)) return orderedItems(store, collection, since);
  return head.format === collection.format ? store.items.published(collection.key, since) : converted();

  async function* converted(): Entries {
    for await (const item of store.items.publishedContents(collection.key, since))
      yield { entry: entryIn(head.format, collection, item, publicUrl) };
  }
}
