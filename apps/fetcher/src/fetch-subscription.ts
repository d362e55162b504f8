import { FeedError } from '#feed-xml';
import type { Dialect, FeedHead } from '#feed-xml';
import { requestPublish } from '#messages';
import type { FetchJob } from '#messages';
import { FetchError, isShared, reportedBreaches } from '#ports';
import type { Cursor, FetchResponse, SharedCollection, Subscription } from '#ports';
import { BatchSender } from './batch-sender.ts';
import { Claim, ClaimLostError } from './claim.ts';
import { summarizeFeed } from './feed-summary.ts';
import type { FetchPorts } from './fetch-ports.ts';
import type { FetchSettings } from './fetch-settings.ts';
import { nextFetchAfterFailure, nextFetchAfterSuccess } from './next-fetch.ts';
import { noCompleteFeed, planReading, safeUntil } from './reading-plan.ts';
import { readFeed } from './read-feed.ts';
import { sealManifest } from './seal-manifest.ts';
import { syncTree } from './tree/sync-tree.ts';

/**
 * Fetches one subscription:
 *
 *     claim ─▶ open manifest ─▶ GET ─▶ scan ─▶ batches ─▶ merge jobs ─▶ seal manifest
 *                                │ 304            (the complete feed too, on first reading or out of sync)
 *                                └──▶ settled at once
 *
 * The cursor is not moved here: the seal says what it becomes once every batch is merged. A feed that breaks off, is not
 * well-formed or passes a limit ends the fetch with its reason; the cursor stays. A subscription to a tree of feeds goes by `syncTree`.
 */
export async function fetchSubscription(ports: FetchPorts, settings: FetchSettings, job: FetchJob): Promise<void> {
  const { store, clock, chance } = ports;
  const manifest = chance.identifier();
  const collection = await store.collections.find(job.collection);
  if (collection === undefined) return;
  const subscription = await store.subscriptions.claim(job.collection, job.subscription, manifest, settings.claim);
  if (subscription === undefined) return;
  const now = clock.now();
  await store.manifests.open({ id: manifest, collection: job.collection, subscription: job.subscription, openedAt: now, touchedAt: now, done: [], rejected: 0 });
  try {
    if (isShared(collection)) await fetchFeed(ports, settings, collection, subscription, manifest);
    else await syncTree(ports, settings, collection, subscription, manifest);
  } catch (error) {
    if (error instanceof ClaimLostError) return store.manifests.remove(job.collection, manifest);
    if (!(error instanceof FetchError) && !(error instanceof FeedError)) throw error;
    await settleFailed(ports, subscription, manifest, error);
  }
}

async function fetchFeed(ports: FetchPorts, settings: FetchSettings, { protocol }: SharedCollection, subscription: Subscription, manifest: string): Promise<void> {
  const { url, cursor } = subscription;
  const response = await ports.http.get({ url, ...(cursor.etag && { etag: cursor.etag }), ...(cursor.lastModified && { lastModified: cursor.lastModified }) });
  if (response.status === 'not-modified') await settleUnchanged(ports, subscription, manifest, response);
  else await readDocuments(ports, settings, subscription, manifest, response, protocol);
}

type Document = Extract<FetchResponse, { status: 'ok' }>;

async function readDocuments(ports: FetchPorts, settings: FetchSettings, subscription: Subscription, manifest: string, response: Document, dialect: Dialect): Promise<void> {
  const { collection, id } = subscription;
  const claim = new Claim(ports, subscription, manifest, settings.claim);
  const stayAlive = async (): Promise<void> => {
    if (claim.isDue) await claim.prolong();
  };
  const sender = new BatchSender({ ...ports, stayAlive }, { collection, subscription: id, manifest }, response.url, settings.batch);
  const take = async (fragments: Parameters<BatchSender['take']>[0]): Promise<void> => {
    await sender.take(fragments);
    await stayAlive();
  };

  const scanning = { limits: settings.scan, dialect };
  const { head, digest } = await readFeed(response, scanning, take);
  const plan = planReading(subscription, response.url, head);
  let complete: FeedHead | undefined;
  if (plan.complete !== undefined) {
    const answer = await getComplete(ports, plan.complete);
    await sender.beginCompleteFeed(answer.url, plan.outOfSync);
    complete = (await readFeed(answer, scanning, take)).head;
  }
  await sender.flush();

  // A feed that says nothing this time leaves what was cached: a gap is found by it later.
  const until = safeUntil(head.sharing, complete?.sharing) ?? subscription.cursor.until;
  const cursor: Cursor = {
    ...(response.etag !== undefined && { etag: response.etag }),
    ...(response.lastModified !== undefined && { lastModified: response.lastModified }),
    ...(until !== undefined && { until }),
    digest,
  };
  const breaches = [...(plan.outOfSync && complete === undefined ? [noCompleteFeed(dialect)] : []), ...head.breaches].slice(0, reportedBreaches);
  const { batches, items, known } = sender;
  await sealManifest(ports, collection, manifest, {
    cursor, batches, items, known, resynced: plan.outOfSync && complete !== undefined,
    feed: summarizeFeed(head, settings.markupLength),
    ...(breaches.length > 0 && { breaches }),
    ...nextFetchAfterSuccess(subscription, { ...hints(ports), ...feedHints(response, head) }),
  });
}

async function getComplete(ports: FetchPorts, url: string): Promise<Document> {
  const response = await ports.http.get({ url }).catch((error: unknown) => {
    // Whatever has become of the complete feed: the feed that was subscribed to is not gone.
    throw error instanceof FetchError && error.status === 410 ? new FetchError(error.rule, error.message, { cause: error }) : error;
  });
  if (response.status === 'not-modified') throw new FetchError('http-status', `${url} answered 304 to a request without conditions.`, { status: 304 });
  return response;
}

async function settleUnchanged(ports: FetchPorts, subscription: Subscription, manifest: string, response: FetchResponse): Promise<void> {
  const { freshness } = response;
  await ports.store.subscriptions.settle(subscription.collection, subscription.id, manifest, {
    report: { at: ports.clock.now(), outcome: 'not-modified' },
    ...nextFetchAfterSuccess(subscription, { ...hints(ports), ...(freshness.seconds !== undefined && { freshness: freshness.seconds }) }),
  });
  await ports.store.manifests.remove(subscription.collection, manifest);
}

async function settleFailed(ports: FetchPorts, subscription: Subscription, manifest: string, error: FetchError | FeedError): Promise<void> {
  const { collection, id } = subscription;
  const at = ports.clock.now();
  const gone = error instanceof FetchError && error.status === 410;
  const rule = error instanceof FetchError ? error.rule : error.breach.rule;
  const retryAfter = error instanceof FetchError ? error.retryAfter : undefined;
  await ports.store.notices.add({ id: manifest, collection, subscription: id, type: gone ? 'gone' : 'failed', at });
  await ports.store.subscriptions.settle(collection, id, manifest, {
    report: { at, outcome: gone ? 'gone' : 'failed', rule, reason: error.message },
    ...(gone && { status: 'gone' as const }),
    ...nextFetchAfterFailure(subscription, { ...hints(ports), ...(retryAfter !== undefined && { retryAfter }) }),
  });
  await ports.store.manifests.remove(collection, manifest);
  await ports.queue.send([requestPublish(collection)]);
}

function hints(ports: FetchPorts) {
  return { now: ports.clock.now(), fraction: ports.chance.fraction() };
}

function feedHints(response: Document, head: FeedHead) {
  return {
    ...(response.freshness.seconds !== undefined && { freshness: response.freshness.seconds }),
    ...(head.ttl !== undefined && { timeToLive: head.ttl * 60 }),
    ...(head.sharing?.expires !== undefined && { expires: new Date(head.sharing.expires) }),
    ...(head.sharing?.window !== undefined && { window: head.sharing.window }),
  };
}
