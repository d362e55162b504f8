import { absoluteUrl, isHttp, writeReaderEntry, writeReaderFeedEnd, writeReaderFeedStart } from '#xml';
import type { FeedFormat, ReaderFeedDescription } from '#xml';
import { isFeedTree } from '#protocols';
import { formatDateTime, publishedId, readerAddress } from '#protocol';
import { readerEntry } from '#items';
import { inSlices, nameOf, rootFeed, Slices } from '#core';
import type { Collection, TreeFeed } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { headFields } from '../tree/tree-feed-view.ts';
import { shownOf } from './collection-feed.ts';
import type { TextPiece } from '../texts/text-piece.ts';
import type { RequestedFeed } from './feed-cache.ts';
import { mediaTypes } from './media-types.ts';
import { entityTag } from './validators.ts';
import { withEnd } from './write-feed.ts';

type ReadingPorts = Pick<GatewayPorts, 'store' | 'publicUrl' | 'configuration'>;

/** What a feed for feed readers says of itself. */
interface ReaderFeed {
  readonly etag: string;
  readonly updated: Date;
  readonly description: ReaderFeedDescription;
}

/** What the feed's `atom:id` is made of in place of an item's id; none begins with a line break. */
const feedKey = '\nreader';

/**
 * A feed for feed readers, of a collection that was read before any of its items is: what changes meanwhile
 * changes its publication. A tree of feeds is one such feed, called what its root is called.
 * @param root of a tree
 */
export function readerFeed(
  ports: ReadingPorts,
  collection: Collection,
  format: FeedFormat,
  root: TreeFeed | undefined,
): RequestedFeed {
  return {
    collection,
    path: `${readerAddress(collection, '')}.${format}`,
    source: JSON.stringify([shownOf(collection), root]),
    readSource: async () => {
      const [current, currentRoot] = await Promise.all([
        ports.store.collections.find(collection.key),
        rootOf(ports, collection),
      ]);
      return current && JSON.stringify([shownOf(current), currentRoot]);
    },
    compose: async () => {
      const feed = composeReaderFeed(ports, collection, format, root);
      const { etag, updated } = feed;
      const text = () => writeReaderFeed(ports, collection, feed);
      return { etag, updated, mediaType: mediaTypes[format], text };
    },
  };
}

/** The root of a tree; undefined of any other collection. */
export async function rootOf(
  { store }: Pick<GatewayPorts, 'store'>,
  collection: Collection,
): Promise<TreeFeed | undefined> {
  if (!isFeedTree(collection)) return undefined;
  return (await store.feeds.load(collection.key, [rootFeed])).get(rootFeed);
}

/** Decides what a feed for feed readers says of itself. */
export function composeReaderFeed(
  { publicUrl, configuration }: Pick<ReadingPorts, 'publicUrl' | 'configuration'>,
  collection: Collection,
  format: FeedFormat,
  root: TreeFeed | undefined,
): ReaderFeed {
  const { key, title, settings, publication, createdAt } = collection;
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
  return { description, updated, etag: entityTag(identity) };
}

/** The feed's text in pieces: head, the latest entries as they are read, the newest first, end. */
export async function* writeReaderFeed(
  ports: ReadingPorts,
  collection: Collection,
  { description }: Pick<ReaderFeed, 'description'>,
): AsyncGenerator<TextPiece, void, undefined> {
  const { format } = description;
  yield { text: writeReaderFeedStart(description) };
  const entries = latestEntries(ports, collection, format, ports.configuration.GATEWAY_READER_ITEMS);
  yield* withEnd(entries, writeReaderFeedEnd(format));
}

/** The latest entries, at most `count`, those below a sequence if one is given. */
async function* latestEntries(
  ports: ReadingPorts,
  collection: Collection,
  format: FeedFormat,
  count: number,
  before?: number,
): AsyncGenerator<TextPiece, void, undefined> {
  let left = count;
  if (left === 0) return;
  const slices = new Slices();
  for await (const item of ports.store.items.latest(collection.key, before)) {
    await slices.rest();
    const entry = await inSlices(readerEntry(collection, item, ports.publicUrl));
    if (entry === undefined) continue;
    left -= 1;
    const [key, others] = [item.sequence, left];
    const read = () => latestEntries(ports, collection, format, others, key);
    yield { text: writeReaderEntry(format, entry), next: { key, read } };
    if (left === 0) return;
  }
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
