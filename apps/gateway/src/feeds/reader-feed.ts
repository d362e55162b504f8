import { absoluteUrl, isHttp, writeReaderEntry, writeReaderFeedEnd, writeReaderFeedStart } from '#xml';
import type { FeedFormat, ReaderFeedDescription } from '#xml';
import { isFeedTree } from '#protocols';
import { formatDateTime, publishedId, readerAddress } from '#protocol';
import { readerEntry } from '#items';
import { nameOf, rootFeed } from '#core';
import type { Collection, TreeFeed } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { headFields } from '../tree/tree-feed-view.ts';
import { feedValidators } from './validators.ts';
import type { FeedValidators } from './validators.ts';

type ReadingPorts = Pick<GatewayPorts, 'store' | 'publicUrl' | 'configuration'>;

/** One answer to a request for a feed for feed readers, without its entries. */
interface ReaderFeed extends FeedValidators {
  readonly description: ReaderFeedDescription;
}

/** What the feed's `atom:id` is made of in place of an item's id; none begins with a line break. */
const feedKey = '\nreader';

/**
 * Decides what a feed for feed readers says of itself, from a collection that was read before any of its
 * items is: what changes meanwhile changes the ETag. A tree of feeds is one such feed, called what its root
 * is called.
 */
export async function composeReaderFeed(
  { store, publicUrl, configuration }: ReadingPorts,
  collection: Collection,
  format: FeedFormat,
  now: Date,
): Promise<ReaderFeed> {
  const { key, title, settings, publication, createdAt } = collection;
  const root = isFeedTree(collection) ? (await store.feeds.load(key, [rootFeed])).get(rootFeed) : undefined;
  const updated = publication.updatedAt ?? createdAt;
  const description = {
    format,
    title: title.trim() || nameOf(key),
    author: title.trim() || nameOf(key),
    ...(root && ofRoot(root)),
    siteUrl: siteOf(root) ?? `${publicUrl}/`,
    id: publishedId(collection, feedKey),
    selfUrl: `${readerAddress(collection, publicUrl)}.${format}`,
    updated: formatDateTime(updated),
  };
  const identity = [
    description,
    settings.links,
    publication.sequence,
    publication.since,
    configuration.GATEWAY_READER_ITEMS,
  ];
  return { description, ...feedValidators(identity, updated, now) };
}

/** The feed's text in pieces: head, the latest entries as they are read, the newest first, end. */
export async function* writeReaderFeed(
  { store, publicUrl, configuration }: ReadingPorts,
  collection: Collection,
  { description }: ReaderFeed,
): AsyncGenerator<string, void, undefined> {
  const { format } = description;
  yield writeReaderFeedStart(description);
  let written = 0;
  for await (const item of store.items.latest(collection.key)) {
    const entry = readerEntry(collection, item, publicUrl);
    if (entry === undefined) continue;
    yield writeReaderEntry(format, entry);
    written += 1;
    if (written === configuration.GATEWAY_READER_ITEMS) break;
  }
  yield writeReaderFeedEnd(format);
}

function ofRoot({ title, head }: TreeFeed): Partial<Pick<ReaderFeedDescription, 'title' | 'description'>> {
  const { content = '' } = headFields(head);
  return {
    ...(title.trim() !== '' && { title: title.trim() }),
    ...(content.trim() !== '' && { description: content.trim() }),
  };
}

/** The page that the root of a tree goes with, as its head says. */
function siteOf(root: TreeFeed | undefined): string | undefined {
  const url = root && absoluteUrl(headFields(root.head).link ?? '');
  return url !== undefined && isHttp(url) ? url : undefined;
}
