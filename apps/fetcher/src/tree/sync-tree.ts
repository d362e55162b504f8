import { parseUrl } from '#xml';
import type { Collection, Subscription } from '#core';
import { completeUnchanged } from '../complete-unchanged.ts';
import type { FetchManifest } from '../fetch-manifest.ts';
import type { FetchPorts } from '../fetch-ports.ts';
import type { FetchSettings } from '../fetch-settings.ts';
import { observedRhythm } from '../rhythm/observed-rhythm.ts';
import { sealManifest } from '../seal-manifest.ts';
import { statedChange, statedSchedule } from '../stated-schedule.ts';
import { fulfilledRequests } from './requested-links.ts';
import { comparedNow, fetchKnownRoot, sealUnchanged } from './known-tree.ts';
import { feedsToMirror, sendMirrorJobs } from './mirror-jobs.ts';
import { ProgressReport } from './progress-report.ts';
import { pollRoot } from './poll-root.ts';
import { recordTree } from './record-tree.ts';
import { signedSettings } from './signed-settings.ts';
import { TreeCache } from './tree-cache.ts';
import type { TreeFetch } from './tree-fetch.ts';
import { countItems } from './count-items.ts';
import { findReferences } from './tree-references.ts';
import { documentsAfter, isSameCopy, treeSignature } from './tree-signature.ts';
import { nextTreeFetch } from './next-tree-fetch.ts';
import { WalkRun } from './walk-run.ts';

/**
 * Brings the cache in step with a mirrored tree of feeds, and asks for its items to follow:
 *
 *     GET root ─▶ cache ─▶ walk ◀─▶ download jobs
 *         │         │        └─▶ documents described, dropped ─▶ mirror jobs ─▶ seal manifest
 *         │         └─ the documents are as the last fetch left them ─▶ seal manifest
 *         └─ unchanged, and nothing was written to the documents ─▶ completed at once, without a manifest
 *
 * Unless nothing was written, the root is requested after the documents were read.
 * What arrives is recorded at once, so a walk that is cut short anywhere is gone on with by the next one. A
 * document that fails holds up no other.
 * @param manifest opened if anything but the root is looked at
 * @throws FetchError or FeedError if the root could not be fetched; LeaseLostError if another fetch has
 *   begun
 */
export async function syncTree(
  ports: FetchPorts,
  settings: FetchSettings,
  collection: Collection,
  subscription: Subscription,
  manifest: FetchManifest,
): Promise<void> {
  const fetch: TreeFetch = {
    collection,
    subscription,
    manifest: manifest.id,
    root: rootOf(subscription.url),
  };
  const report = new ProgressReport(ports, fetch, manifest.lease, settings.tree.progress);
  const polled = await pollRoot(ports, settings, fetch, report);
  if (polled?.isUnchanged === true) return completeUnchanged(ports, subscription, manifest, polled);
  await manifest.open();
  const cache = new TreeCache(ports.store, fetch, settings.scan);
  await cache.loadDocuments(() => report.announce());
  if (polled !== undefined) cache.documents.set(fetch.root, polled.former);
  const formerRoot = cache.documents.get(fetch.root)?.copy;
  const known = await fetchKnownRoot(ports, settings, fetch, cache, polled);
  if (known?.isUnchanged === true) return sealUnchanged(ports, settings, fetch, cache, known, report);
  await cache.loadFeeds(settings.tree.limits.links, () => report.announce());

  const run = await WalkRun.begin(ports, settings, fetch, cache);
  // Without its former copy the root is new: it is requested without conditions.
  const freshness = await run.walk(report, cache.feeds.has(fetch.root) ? known : undefined);
  const { progress } = run;
  const heartbeat = (): Promise<void> => report.announce(progress);

  // Nothing is dropped in the name of another fetch.
  await report.confirm(progress);
  const references = await findReferences(fetch.root, cache.feeds);
  await recordTree(ports.store, fetch, cache, references, run.failures, heartbeat);
  const fulfilled =
    collection.settings.refreshOnDemand === false ? fulfilledRequests(cache, references, run.failures) : [];
  await ports.store.documents.endRequests(collection.key, fulfilled);
  const feeds = await feedsToMirror(fetch.root, cache, references);
  await sendMirrorJobs(ports, fetch, feeds, settings.batch.backlog, heartbeat);
  const { title } = cache.head ?? {};
  const signature =
    run.failures.size > 0
      ? undefined
      : await treeSignature(
          signedSettings(settings, fetch),
          documentsAfter(cache.documents, references, feeds, new Set(fulfilled)),
        );
  const stated = cache.head === undefined ? (subscription.stated ?? {}) : statedSchedule(cache.head);
  const rhythm = observedRhythm(subscription, {
    now: ports.clock.now(),
    isChanged: !isSameCopy(formerRoot, cache.documents.get(fetch.root)?.copy),
    dates: [],
  });
  await sealManifest(ports, collection.key, manifest.id, {
    cursor: signature === undefined ? {} : { tree: comparedNow(ports, settings, fetch, { signature }) },
    ...statedChange(subscription.stated, stated),
    ...(rhythm && { rhythm }),
    batches: feeds.length,
    ...(await countItems(cache.feeds, references.keys(), feeds)),
    resynced: false,
    progress,
    transfer: { ...manifest.transfer },
    ...exceededIn(run.failures),
    feed: { ...(title !== undefined && { title }), markup: [], aggregated: [] },
    ...(await nextTreeFetch(ports, fetch, {
      freshness,
      stated,
      rhythm: rhythm ?? subscription.rhythm,
      asked: run.asked,
    })),
  });
}

/** The limit of the tenant by which documents are missing, if any are. */
function exceededIn(failures: WalkRun['failures']): { readonly exceeded?: string } {
  const failure = [...failures.values()].find(({ rule }) => rule === 'tenant-limit');
  return failure === undefined ? {} : { exceeded: failure.reason };
}

/** The address as links say it, so that one that leads back to the root is known. */
function rootOf(address: string): string {
  const url = parseUrl(address);
  if (url === undefined) return address;
  url.hash = '';
  return url.href;
}
