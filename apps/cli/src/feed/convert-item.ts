import type { Item } from '#feedsync';
import { convertPayload } from '#xml';
import type { FeedFormat, Payload, PublisherData } from '#xml';
import { feedsyncProtocol } from '#feedsync';

const atomNamespace = 'http://www.w3.org/2005/Atom';

/** The item with its conflicts in a format; itself in meaning if it has that one already. */
export function convertItem(item: Item<Payload>, format: FeedFormat): Item<Payload> {
  return feedsyncProtocol.withPayloads(item, (payload) => convertPayload(payload, format));
}

/**
 * What an Atom entry needs that was an RSS item (RFC 4287, 4.1.2): an id that is the same in every merge, and
 * the time of its latest dated history. Undefined for an entry that has an id of its own, and for RSS, which
 * asks for neither.
 * @param author the name for an entry without one
 */
export function neededData({ sync, data }: Item<Payload>, author: string): PublisherData | undefined {
  if (
    data.format !== 'atom' ||
    data.children.some(({ namespace, name }) => namespace === atomNamespace && name === 'id')
  )
    return undefined;
  const updated = sync.history.find(({ when }) => when !== undefined)?.when ?? '1970-01-01T00:00:00Z';
  return { id: `urn:feedmesh:item:${encodeURI(sync.id)}`, updated, author };
}
