import { createHash } from 'node:crypto';
import type { Collection, ItemId, Store, TreeFeed } from '#core';
import { feedValidators } from '../feeds/validators.ts';
import type { FeedValidators } from '../feeds/validators.ts';

/** One answer to a request for a feed of a tree, without its items. */
export interface TreeFeedAnswer extends FeedValidators {
  /** Its `publishedAt` is the latest date that an item in it may say. */
  readonly feed: TreeFeed;
  /** The ids of its items, in order. */
  readonly items: readonly ItemId[];
}

/**
 * Decides what a feed of a tree says of itself, from a record that was read before any of its items is. Its
 * date is the one that has been carried up to it, after every feed below it had that date; items that were
 * published since say no later one. Otherwise a reader could take a feed below for one that it has in step
 * with a date which that feed does not have yet. A feed with no date shows nothing.
 */
export async function composeTreeFeed(
  { items: stored }: Pick<Store, 'items'>,
  { key, settings }: Collection,
  feed: TreeFeed,
  now: Date,
): Promise<TreeFeedAnswer> {
  const { title, head, publishedAt } = feed;
  const placed = publishedAt === undefined ? [] : await stored.children(key, [feed.id]);
  const visible = placed.filter(({ deleted, sequence }) => !deleted && sequence !== undefined);
  const digest = createHash('sha256');
  // The content may be newer than its date, so its revision counts too.
  for (const { id, revision, sequence } of visible) digest.update(JSON.stringify([id, revision, sequence]));
  const identity = [title, head, settings.links, publishedAt, digest.digest('hex')];
  return { feed, items: visible.map(({ id }) => id), ...feedValidators(identity, publishedAt, now) };
}
