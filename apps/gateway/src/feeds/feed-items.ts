import { renderedXml } from '#items';
import { isOrdered } from '#protocol';
import { inSlices, Slices } from '#core';
import type { Collection } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import type { TextPiece } from '../texts/text-piece.ts';
import type { Feed } from './current-feed.ts';
import { orderedItems } from './ordered-items.ts';

/**
 * The published items of a feed, each as it stands there: in the order of the collection if it has one,
 * otherwise in that of their publication.
 */
export async function* feedItems(
  ports: Pick<GatewayPorts, 'store' | 'publicUrl'>,
  collection: Collection,
  feed: Pick<Feed, 'head' | 'since'>,
): AsyncGenerator<TextPiece> {
  const { head, since } = feed;
  if (isOrdered(collection)) {
    yield* orderedItems(ports, collection, since);
    return;
  }
  const slices = new Slices();
  for await (const item of ports.store.items.published(collection.key, since)) {
    await slices.rest();
    const { sequence } = item;
    yield {
      text: await inSlices(renderedXml(head.format, collection, item, ports.publicUrl)),
      next: { key: sequence, read: () => feedItems(ports, collection, { head, since: sequence }) },
    };
  }
}
