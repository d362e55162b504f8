import type { Failure } from '#cse';
import { feedIdOf } from '#items';
import type { FoundDocument, Store, TreeDocument } from '#core';
import { walkFailure } from './download-failure.ts';
import type { TreeCache } from './tree-cache.ts';
import type { TreeFetch } from './tree-fetch.ts';
import type { TreeReference } from './tree-references.ts';

/** How many documents are recorded at once. */
const step = 1000;

/**
 * Records what a walk has found of every document that the tree refers to, if that is news, and drops the
 * others. Nothing is dropped while a feed that readers have, or the cache, can't be read at all: what it
 * refers to is not known then.
 * @param heartbeat called between the steps
 */
export async function recordTree(
  store: Pick<Store, 'documents' | 'feeds'>,
  fetch: TreeFetch,
  cache: TreeCache,
  references: ReadonlyMap<string, TreeReference>,
  failures: ReadonlyMap<string, Failure>,
  heartbeat: () => Promise<void>,
): Promise<void> {
  const { documents } = store;
  const { collection, manifest } = fetch;
  const found = [...references.values()].map((reference): FoundDocument => {
    const failure = failures.get(reference.url);
    return { ...reference, ...(failure && { failure: walkFailure(failure) }) };
  });
  const news = found.filter((document) => !isKnown(document, cache.documents.get(document.url)));
  for (let start = 0; start < news.length; start += step) {
    await documents.describe(collection.key, news.slice(start, start + step));
    await heartbeat();
  }
  if (await isFeedLost(store, fetch, cache, found)) return;
  const dropped = [...cache.documents.keys()].filter((url) => !references.has(url));
  for (let start = 0; start < dropped.length; start += step) {
    await documents.drop(collection.key, manifest, dropped.slice(start, start + step));
    await heartbeat();
  }
}

function isKnown(found: FoundDocument, document: TreeDocument | undefined): boolean {
  return (
    document !== undefined &&
    document.dropped === undefined &&
    document.isFeed === found.isFeed &&
    document.onDemand === found.onDemand &&
    document.lastBuildDate === found.lastBuildDate &&
    document.failure?.rule === found.failure?.rule &&
    document.failure?.reason === found.failure?.reason
  );
}

async function isFeedLost(
  { feeds }: Pick<Store, 'feeds'>,
  { collection, root }: TreeFetch,
  cache: TreeCache,
  found: readonly FoundDocument[],
): Promise<boolean> {
  const unknown = found.filter(
    ({ url, isFeed, failure }) => isFeed && failure !== undefined && !cache.feeds.has(url),
  );
  if (unknown.some(({ url }) => cache.documents.get(url)?.copy?.isFeed === true)) return true;
  return (
    unknown.length > 0 &&
    (
      await feeds.load(
        collection.key,
        unknown.map(({ url }) => feedIdOf(url, root)),
      )
    ).size > 0
  );
}
