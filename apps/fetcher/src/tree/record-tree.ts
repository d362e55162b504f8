import type { Failure } from '#cse';
import { feedIdOf } from '#items';
import { inSlices } from '#core';
import type { FoundDocument, Steps, Store, TreeDocument } from '#core';
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
  const news = await inSlices(newsOf(references.values(), cache, failures));
  for (let start = 0; start < news.length; start += step) {
    await documents.describe(collection.key, news.slice(start, start + step));
    await heartbeat();
  }
  if (await isFeedLost(store, fetch, cache, references, failures)) return;
  const dropped = [...cache.documents.keys()].filter((url) => !references.has(url));
  for (let start = 0; start < dropped.length; start += step) {
    await documents.drop(collection.key, manifest, dropped.slice(start, start + step));
    await heartbeat();
  }
}

/** Returns the documents that differ from what the cache has of them. */
function* newsOf(
  references: Iterable<TreeReference>,
  cache: TreeCache,
  failures: ReadonlyMap<string, Failure>,
): Steps<FoundDocument[]> {
  const news: FoundDocument[] = [];
  for (const reference of references) {
    const failure = failures.get(reference.url);
    const found = { ...reference, ...(failure && { failure: walkFailure(failure) }) };
    if (!isKnown(found, cache.documents.get(reference.url))) news.push(found);
    yield;
  }
  return news;
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
  references: ReadonlyMap<string, TreeReference>,
  failures: ReadonlyMap<string, Failure>,
): Promise<boolean> {
  const unknown = [...failures.keys()].flatMap((url) => {
    const reference = references.get(url);
    return reference?.isFeed === true && !cache.feeds.has(url) ? [reference] : [];
  });
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
