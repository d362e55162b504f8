import { forgetSource } from '#items';
import { isFeedTree } from '#protocols';
import { pagesOf } from '#core';
import type { Clock, CollectionKey, Content, Store } from '#core';
import { before } from './times.ts';

/** Collections, and contents, read at once. */
const pageCollections = 100;
const pageContents = 500;

/** Feeds removed at once. */
const pageFeeds = 1000;

/**
 * How long a write may be in progress at the least before what it has left is taken for that of a dead one,
 * in seconds.
 */
const longestWrite = 3600;

type ContentPurgePorts = {
  readonly store: Pick<Store, 'collections' | 'subscriptions' | 'items' | 'feeds' | 'documents' | 'contents'>;
};

/**
 * The purge of the files of all trees, to be run again and again. The documents of a tree that is no mirror
 * any more go: a fetch may have recorded them after its subscription was removed. So do the documents and
 * feeds of a collection with files that was removed itself. A content to which neither an item nor a document
 * of the cache refers is marked with the time at which that was seen, and removed by a later run, once
 * nothing has referred to it or touched it for `grace` seconds. What is left of writes that were cut short
 * goes after the same time, but not within an hour.
 */
export function contentPurge(
  clock: Pick<Clock, 'now'>,
  grace: number,
): (ports: ContentPurgePorts) => Promise<void> {
  return async ({ store }) => {
    const pages = pagesOf(
      (page) => store.collections.list(page),
      ({ key }) => key,
      pageCollections,
    );
    for await (const page of pages)
      for (const { key } of page.filter(isFeedTree)) await purgeContentsOf(store, key, clock.now(), grace);
    for (const key of await store.contents.collections())
      if (!(await exists(store, key))) await purgeRemoved(store, key, clock.now(), grace);
    await store.contents.removeIncomplete(before(clock.now(), Math.max(grace, longestWrite)));
  };
}

/** Forgets the source of a tree that is no mirror any more, and removes what nothing refers to. */
async function purgeContentsOf(
  store: ContentPurgePorts['store'],
  collection: CollectionKey,
  now: Date,
  grace: number,
): Promise<void> {
  await forgetSource(store, collection);
  const pages = pagesOf(
    (page) => store.contents.list(collection, page),
    ({ digest }) => digest,
    pageContents,
  );
  for await (const page of pages) await purgePage(store, collection, page, now, before(now, grace));
}

async function exists(
  { collections }: ContentPurgePorts['store'],
  collection: CollectionKey,
): Promise<boolean> {
  return (await collections.find(collection)) !== undefined;
}

/** Removes what a fetch has left that went on while its collection was removed. */
async function purgeRemoved(
  store: ContentPurgePorts['store'],
  collection: CollectionKey,
  now: Date,
  grace: number,
): Promise<void> {
  await purgeContentsOf(store, collection, now, grace);
  for (const { id } of await store.feeds.list(collection, { limit: pageFeeds })) {
    if (await exists(store, collection)) return;
    await store.feeds.remove(collection, id);
  }
}

/**
 * Marks what nothing refers to, removes what was marked before `seenBefore`, and ends the mark of what is
 * referred to.
 */
async function purgePage(
  { items, documents, contents }: ContentPurgePorts['store'],
  collection: CollectionKey,
  page: readonly Content[],
  now: Date,
  seenBefore: Date,
): Promise<void> {
  const digests = page.map(({ digest }) => digest);
  const [byItems, byDocuments] = await Promise.all([
    items.referring(collection, digests),
    documents.referring(collection, digests),
  ]);
  const isReferred = ({ digest }: Content): boolean => byItems.has(digest) || byDocuments.has(digest);
  const isMarked = ({ unreferencedSince }: Content): boolean => unreferencedSince !== undefined;
  const needed = page.filter((content) => isReferred(content) && isMarked(content));
  const unneeded = page.filter((content) => !isReferred(content));
  const unmarked = unneeded.filter((content) => !isMarked(content));
  const expired = unneeded.filter(
    ({ unreferencedSince }) => unreferencedSince !== undefined && unreferencedSince < seenBefore,
  );
  const digestsOf = (some: readonly Content[]): string[] => some.map(({ digest }) => digest);
  if (needed.length > 0) await contents.touch(collection, digestsOf(needed));
  if (unmarked.length > 0) await contents.markUnreferenced(collection, digestsOf(unmarked), now);
  // One that somebody has touched since it was read here stays: the store looks at its mark once more.
  if (expired.length > 0) await contents.removeUnreferenced(collection, digestsOf(expired), seenBefore);
}
