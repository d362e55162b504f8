import type { Freshness, NextFetch } from '#core';
import type { FetchPorts } from '../fetch-ports.ts';
import { nextFetchAfterSuccess } from '../next-fetch.ts';
import type { TreeFetch } from './tree-fetch.ts';

/**
 * When the next fetch of a tree is due: at once if somebody has requested a document meanwhile.
 * @param timeToLive how long the root says that it stays as it is, in seconds
 * @param asked the URLs that the fetch took for requested when it began
 */
export async function nextTreeFetch(
  { store, clock, random }: FetchPorts,
  { collection, subscription }: TreeFetch,
  {
    freshness,
    timeToLive,
    asked,
  }: {
    readonly freshness: Freshness;
    readonly timeToLive: number | undefined;
    readonly asked: ReadonlySet<string>;
  },
): Promise<NextFetch> {
  const now = clock.now();
  if ((await store.documents.requested(collection.key)).some((url) => !asked.has(url)))
    return { nextFetchAt: now, nextFetchReason: 'a document on demand was requested meanwhile' };
  return nextFetchAfterSuccess(subscription, {
    now,
    fraction: random.fraction(),
    ...(freshness.seconds !== undefined && { freshness: freshness.seconds }),
    ...(timeToLive !== undefined && { timeToLive }),
  });
}
