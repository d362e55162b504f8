import { atomNamespace, convertPayload } from '#xml';
import type { FeedFormat, FeedHead, Fragment, Payload, PublisherData } from '#xml';
import { isItem, ItemSet } from '#protocol';
import type { MergedFeed, SharingProtocol, Taken } from '#protocol';
import { writeItem } from '../xml/item-writing.ts';
import type { FeedSyncContent } from './feedsync-content.ts';

/**
 * Feeds of FeedSync, merged by 3.3 in the format of the local one; items of the other format are converted.
 */
export class FeedSyncMergedFeed implements MergedFeed {
  readonly #protocol: SharingProtocol<FeedSyncContent>;
  readonly #set: ItemSet<FeedSyncContent>;
  /** Of the local feed, once that is read. */
  #format: FeedFormat | undefined;

  constructor(protocol: SharingProtocol<FeedSyncContent>) {
    this.#protocol = protocol;
    this.#set = new ItemSet(protocol);
  }

  take(fragment: Fragment): Taken | undefined {
    const format = this.#format;
    return this.#set.take(
      fragment,
      (item) => (format === undefined ? item : this.#convert(item, format)),
      format === undefined,
    );
  }

  end({ format }: FeedHead): readonly Taken[] {
    if (format !== 'opml') this.#format ??= format;
    return this.#set.end();
  }

  get items(): readonly FeedSyncContent[] {
    return this.#set.items;
  }

  *write(head: FeedHead): Iterable<string> {
    for (const member of this.#set.members)
      yield `${isItem(member) ? writeItem(member, neededData(member, head.title ?? '')) : member.xml}\n`;
  }

  #convert(item: FeedSyncContent, format: FeedFormat): FeedSyncContent {
    return this.#protocol.withPayloads(item, (payload: Payload) => convertPayload(payload, format));
  }
}

/**
 * What an Atom entry needs that was an RSS item (RFC 4287, 4.1.2): an id that is the same in every merge, and
 * the time of its latest dated history. Undefined for an entry that has an id of its own, and for RSS, which
 * needs neither.
 * @param author the name for an entry without one
 */
function neededData({ sync, data }: FeedSyncContent, author: string): PublisherData | undefined {
  const hasId = data.children.some(({ namespace, name }) => namespace === atomNamespace && name === 'id');
  if (data.format !== 'atom' || hasId) return undefined;
  const updated = sync.history.find(({ when }) => when !== undefined)?.when ?? '1970-01-01T00:00:00Z';
  return { id: `urn:feedmesh:item:${encodeURI(sync.id)}`, updated, author };
}
