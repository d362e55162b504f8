import type { Collection, Freshness, NextFetch, Subscription } from '#core';
import type { FetchPorts } from '../fetch-ports.ts';
import type { FetchSettings } from '../fetch-settings.ts';
import { nextFetchAfterSuccess } from '../next-fetch.ts';
import { sealManifest } from '../seal-manifest.ts';
import { fulfilledRequests } from './requested-links.ts';
import { feedsToMirror, sendMirrorJobs } from './mirror-jobs.ts';
import { ProgressReport } from './progress-report.ts';
import { recordTree } from './record-tree.ts';
import { TreeCache } from './tree-cache.ts';
import type { TreeFetch } from './tree-fetch.ts';
import { findReferences } from './tree-references.ts';
import { WalkRun } from './walk-run.ts';

/**
 * Brings the cache in step with a mirrored tree of feeds, and asks for its items to follow:
 *
 *     cache ─▶ GET root ─▶ walk ◀─▶ download jobs
 *                           └─▶ documents described, dropped ─▶ mirror jobs ─▶ seal manifest
 *
 * What arrives is recorded at once, so a walk that is cut short anywhere is gone on with by the next one. A
 * document that fails holds up no other.
 * @param subscription leased under this manifest, which is open
 * @throws FetchError or FeedError where the root could not be had; LeaseLostError where another fetch has
 *   begun
 */
export async function syncTree(
  ports: FetchPorts,
  settings: FetchSettings,
  collection: Collection,
  subscription: Subscription,
  manifest: string,
): Promise<void> {
  const fetch: TreeFetch = { collection, subscription, manifest, root: rootOf(subscription.url) };
  const report = new ProgressReport(ports, fetch, {
    lease: settings.lease,
    progress: settings.tree.progress,
  });
  const cache = new TreeCache(ports.store, fetch, settings.scan);
  await cache.load(settings.tree.limits.links, () => report.tell());

  const run = new WalkRun(ports, settings, fetch, cache);
  const freshness = await run.walk(report);
  const { progress } = run;
  const stayAlive = (): Promise<void> => report.tell(progress);

  // Nothing is dropped in the name of another fetch.
  await report.confirm(progress);
  const references = await findReferences(fetch.root, cache.feeds);
  await recordTree(ports.store, fetch, cache, references, run.failures, stayAlive);
  if (collection.settings.refreshOnDemand === false)
    await ports.store.documents.endRequests(
      collection.name,
      fulfilledRequests(cache, references, run.failures),
    );
  const feeds = await feedsToMirror(fetch.root, cache, references);
  await sendMirrorJobs(ports, fetch, feeds, settings.batch.backlog, stayAlive);
  const title = cache.head?.title;
  await sealManifest(ports, collection.name, manifest, {
    cursor: {},
    batches: feeds.length,
    items: feeds.length,
    known: 0,
    resynced: false,
    progress,
    feed: { ...(title !== undefined && { title }), markup: [], aggregated: [] },
    ...(await nextFetch(ports, fetch, cache, freshness, run.asked)),
  });
}

/** The address as links say it, so that one that leads back to the root is known. */
function rootOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  url.hash = '';
  return url.href;
}

/** @param asked what the walk took for requested when it began */
async function nextFetch(
  { store, clock, random }: FetchPorts,
  { collection, subscription }: TreeFetch,
  { head }: TreeCache,
  freshness: Freshness,
  asked: ReadonlySet<string>,
): Promise<NextFetch> {
  const now = clock.now();
  if ((await store.documents.requested(collection.name)).some((url) => !asked.has(url)))
    return { nextFetchAt: now, nextFetchReason: 'a document on demand was requested meanwhile' };
  return nextFetchAfterSuccess(subscription, {
    now,
    fraction: random.fraction(),
    ...(freshness.seconds !== undefined && { freshness: freshness.seconds }),
    ...(head?.ttl !== undefined && { timeToLive: head.ttl * 60 }),
  });
}
