import type { Collection, Freshness, NextFetch, Subscription } from '#ports';
import type { FetchPorts, FetchSettings } from '../fetch-subscription.ts';
import { nextFetchAfterSuccess } from '../next-fetch.ts';
import { sealManifest } from '../seal-manifest.ts';
import { feedsToMirror, sendMirrorJobs } from './mirror-jobs.ts';
import { ProgressReport } from './progress-report.ts';
import { recordTree } from './record-tree.ts';
import { TreeCache } from './tree-cache.ts';
import type { TreeFetch } from './tree-fetch.ts';
import { findReferences } from './tree-references.ts';
import type { TreeReference } from './tree-references.ts';
import { WalkRun } from './walk-run.ts';

/**
 * Brings the cache in step with a mirrored tree of feeds, and asks for its items to follow:
 *
 *     cache ─▶ GET root ─▶ walk ◀─▶ download jobs ─▶ documents described, dropped ─▶ mirror jobs ─▶ seal manifest
 *
 * What arrives is recorded at once, so a walk that is cut short anywhere is gone on with by the next one. A document that fails holds up
 * no other.
 * @param subscription claimed under this manifest, which is open
 * @throws FetchError or FeedError where the root could not be had; ClaimLostError where another fetch has begun
 */
export async function syncTree(ports: FetchPorts, settings: FetchSettings, collection: Collection, subscription: Subscription, manifest: string): Promise<void> {
  const fetch: TreeFetch = { collection, subscription, manifest, root: rootOf(subscription.url) };
  const report = new ProgressReport(ports, fetch, { claim: settings.claim, progress: settings.tree.progress });
  const cache = new TreeCache(ports.store, fetch, settings.scan);
  await cache.load(() => report.tell());

  const run = new WalkRun(ports, settings, fetch, cache);
  const freshness = await run.walk(report);
  const { progress } = run;
  const stayAlive = (): Promise<void> => report.tell(progress);

  // Nothing is dropped in the name of another fetch.
  await report.confirm(progress);
  const references = findReferences(fetch.root, cache.feeds);
  await recordTree(ports.store, fetch, cache, references, run.failures, stayAlive);
  const feeds = feedsToMirror(fetch.root, cache, references);
  await sendMirrorJobs(ports, fetch, feeds, settings.batch.backlog, stayAlive);
  const title = cache.head?.title;
  await sealManifest(ports, collection.name, manifest, {
    cursor: {}, batches: feeds.length, items: feeds.length, known: 0, resynced: false, progress,
    feed: { ...(title !== undefined && { title }), markup: [], aggregated: [] },
    ...(await nextFetch(ports, fetch, cache, freshness, waitingForDemand(cache, references, run.asked))),
  });
}

/** The address as links say it, so that one that leads back to the root is known. */
function rootOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  url.hash = '';
  return url.href;
}

/** What is on demand, not in the cache, and had not been asked for when the walk began. */
function waitingForDemand({ documents }: TreeCache, references: ReadonlyMap<string, TreeReference>, asked: ReadonlySet<string>): string[] {
  return [...references.values()].filter(({ url, onDemand }) => onDemand && !asked.has(url) && documents.get(url)?.copy === undefined).map(({ url }) => url);
}

async function nextFetch({ store, clock, chance }: FetchPorts, { collection, subscription }: TreeFetch, { head }: TreeCache, freshness: Freshness, waiting: readonly string[]): Promise<NextFetch> {
  const now = clock.now();
  const isAsked = [...(await store.documents.load(collection.name, waiting)).values()].some(({ isRequested }) => isRequested);
  if (isAsked) return { nextFetchAt: now, nextFetchReason: 'a document on demand was asked for meanwhile' };
  return nextFetchAfterSuccess(subscription, {
    now,
    fraction: chance.fraction(),
    ...(freshness.seconds !== undefined && { freshness: freshness.seconds }),
    ...(head?.ttl !== undefined && { timeToLive: head.ttl * 60 }),
  });
}
