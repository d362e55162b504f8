import type { Freshness, NextFetch, Rhythm, StatedSchedule } from '#core';
import type { FetchPorts } from '../fetch-ports.ts';
import { nextFetchAfterSuccess } from '../next-fetch.ts';
import { usualInterval } from '../rhythm/usual-interval.ts';
import type { TreeFetch } from './tree-fetch.ts';

/**
 * When the next fetch of a tree is due: at once if somebody has requested a document meanwhile.
 * @param stated what the root says of the next fetch
 * @param asked the URLs that the fetch took for requested when it began
 */
export async function nextTreeFetch(
  { store, clock, random }: FetchPorts,
  { collection, subscription }: TreeFetch,
  {
    freshness,
    stated,
    rhythm,
    asked,
  }: {
    readonly freshness: Freshness;
    readonly stated: StatedSchedule;
    readonly rhythm: Rhythm | undefined;
    readonly asked: ReadonlySet<string>;
  },
): Promise<NextFetch> {
  const moment = { now: clock.now(), fraction: random.fraction() };
  const { interval } = subscription;
  if ((await store.documents.requested(collection.key)).some((url) => !asked.has(url)))
    return { nextFetchAt: moment.now, nextFetchReason: 'a document on demand was requested meanwhile' };
  return nextFetchAfterSuccess(subscription, {
    ...moment,
    rhythm: usualInterval(rhythm ? { interval, rhythm } : { interval }, moment),
    ...(freshness.seconds !== undefined && { freshness: freshness.seconds }),
    ...stated,
  });
}
