import { FeedError } from '#xml';
import type { FetchJob } from '#contracts';
import { announcedReason, failureCause, FetchError, pollKey, UnavailableError } from '#core';
import type {
  Collection,
  CollectionKey,
  Cursor,
  FoundSubscription,
  NextFetch,
  Subscription,
  SubscriptionId,
} from '#core';
import { completeFetch } from '#items';
import { isFeedTree } from '#protocols';
import { conditionsOf } from './conditions.ts';
import { countedHttp } from './counted-http.ts';
import { discoverFeed } from './discovery/discover-feed.ts';
import { FetchLease, LeaseLostError } from './fetch-lease.ts';
import { FetchManifest } from './fetch-manifest.ts';
import { hints } from './hints.ts';
import type { FetchPorts } from './fetch-ports.ts';
import type { FetchSettings } from './fetch-settings.ts';
import { admitFetch, untilHostIsFree } from './hosts/admit-fetch.ts';
import { withSlot } from './hosts/with-slot.ts';
import { noteHub } from './hubs/note-hub.ts';
import { noteMove } from './moved-feed.ts';
import { nextFetchAfterFailure } from './next-fetch.ts';
import { readDocuments } from './read-documents.ts';
import { completeUnchanged } from './complete-unchanged.ts';
import { noteSlowness, pacedPorts } from './slow/paced-ports.ts';
import { withSubscribers } from './subscriber-counts.ts';
import { subscriberHttp } from './subscriber-http.ts';
import { stillUnread, unreadCursor, UnreadFeedError } from './unread-feed.ts';
import { syncTree } from './tree/sync-tree.ts';

/** Milliseconds after which a permanent redirect is followed for good if nothing else is set: a week. */
const usualMove = 604_800_000;

/** Seconds until a walk is tried again that found no place; up to twice as many by accident. */
const walkWait = 10;

/**
 * Fetches the subscriptions of a job at the same time, so that they share their reads and writes; each as
 * follows. If some fail for a reason of ours, throws why the first did once all have ended.
 *
 *     GET ─▶ scan ─▶ batches ─▶ lease, and open manifest ─▶ merge jobs ─▶ seal manifest
 *      │ 304            (the complete feed too, on first reading or out of sync)
 *      │         └────▶ one batch: lease with the seal ─▶ merge job
 *      └──▶ completed at once, without a lease or a manifest
 *
 * If anything has to be merged, the cursor is not moved here: the seal says what it becomes once every batch
 * is merged. A feed that brings nothing new is completed at once. One that breaks off, is not well-formed or
 * passes a limit ends the fetch with its reason; the cursor stays. If the document is a page on which a feed
 * is to be discovered, the feed is fetched in its place. A subscription to a tree of feeds goes by
 * `syncTree`. If a host has no free slot, is paused, too many trees are being fetched, or the tenant has had
 * as many fetches as it may, nothing is held and the fetch is tried again later. One that waits for a slow
 * server goes on by itself. One that another fetch has taken, or that is not due, is left alone.
 */
export async function fetchSubscription(
  ports: FetchPorts,
  settings: FetchSettings,
  { others = [], ...job }: FetchJob,
): Promise<void> {
  if (others.length === 0) return fetchOne(ports, settings, job);
  const subscriptions = [job.subscription, ...others];
  const fetches = subscriptions.map((subscription) => fetchOne(ports, settings, { ...job, subscription }));
  const failed = (await Promise.allSettled(fetches)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

async function fetchOne(
  ports: FetchPorts,
  settings: FetchSettings,
  { collection, subscription: id }: Omit<FetchJob, 'others'>,
): Promise<void> {
  const { polls } = ports;
  const key = pollKey({ collection, id });
  if (polls !== undefined && (await polls.take([key], settings.lease)).length === 0) return;
  let detach = (): void => {};
  const detached = new Promise<void>((resolve) => {
    detach = resolve;
  });
  await Promise.race([fetchTaken(ports, settings, collection, id, detach), detached]);
}

/** @param detach called once the fetch has a place among the slow ones */
async function fetchTaken(
  ports: FetchPorts,
  settings: FetchSettings,
  collection: CollectionKey,
  id: SubscriptionId,
  detach: () => void,
): Promise<void> {
  const { store, clock, polls } = ports;
  try {
    // A job that arrives twice, or after another fetch, finds the subscription not due any more.
    const subscription = await store.subscriptions.findDue(collection, id, clock.now());
    if (subscription === undefined) return;
    const paced = pacedPorts(ports, subscription);
    // It is due, and found by the schedule once there is a place.
    if (paced === undefined) return;
    const { pace } = paced;
    void pace?.detached.then(detach);
    await fetchAtHost(paced, settings, subscription, true).finally(() => pace?.end());
  } finally {
    await polls?.end([pollKey({ collection, id })]);
  }
}

/**
 * Fetches a subscription that was taken, as `fetchSubscription` does. If its host is paused or has no free
 * slot, it stays due.
 * @param isRequested whether somebody has requested this fetch; it waits for a slot of its host
 */
export async function fetchAtHost(
  ports: FetchPorts,
  settings: FetchSettings,
  subscription: FoundSubscription,
  isRequested = false,
): Promise<void> {
  const { store, hosts, http, clock } = ports;
  const collection = await store.collections.find(subscription.collection);
  // A collection is removed with its subscriptions.
  if (collection === undefined) return;
  if (hosts === undefined) return fetchFound(ports, settings, collection, subscription, isRequested);
  const admission = await admitFetch(store, hosts, clock.now(), subscription, isRequested);
  if (admission === undefined) return;
  const { host, slot } = admission;
  const admitted = { ...ports, http: withSlot(http, host, slot) };
  try {
    await fetchFound(admitted, settings, collection, subscription, isRequested);
  } finally {
    slot();
  }
}

/**
 * Fetches a subscription that is due and not leased, and leases it once something is to be merged.
 */
async function fetchFound(
  { http, ...others }: FetchPorts,
  settings: FetchSettings,
  collection: Collection,
  subscription: FoundSubscription,
  isRequested: boolean,
): Promise<void> {
  const { hosts, credentialKeys = [] } = others;
  const named = withSubscribers(http, subscription, others.subscribers);
  const lease = new FetchLease(others, subscription, others.random.identifier(), settings.lease);
  const manifest = new FetchManifest(others, lease, others.clock.now());
  const authorised = subscriberHttp(named, subscription, credentialKeys);
  const ports = { ...others, http: countedHttp(authorised, manifest.transfer) };
  const delay = await ports.tenants?.delay(subscription);
  if (delay !== undefined) return putBack(ports, manifest, delay);
  const isTree = isFeedTree(collection);
  const walks = isTree ? ports.walks : undefined;
  const endWalk = walks?.take();
  if (walks !== undefined && endWalk === undefined) {
    return putBack(ports, manifest, whenWalksEnd(ports, walks.size));
  }
  try {
    await noteSlowness(ports, subscription, () =>
      isTree
        ? syncTree(ports, settings, collection, subscription, manifest)
        : fetchFeed(ports, settings, collection, subscription, manifest, isRequested),
    );
  } catch (error) {
    if (error instanceof LeaseLostError) return manifest.remove();
    if (error instanceof UnavailableError && lease.isTaken) ports.left?.add(lease.release(subscription));
    if (!(error instanceof FetchError) && !(error instanceof FeedError)) throw error;
    const next = error instanceof FetchError ? untilHostIsFree(error, hosts, hints(ports)) : undefined;
    if (next === undefined) await completeFailed(ports, settings, collection, subscription, manifest, error);
    else await putBack(ports, manifest, next);
  } finally {
    endWalk?.();
  }
}

async function fetchFeed(
  ports: FetchPorts,
  settings: FetchSettings,
  collection: Collection,
  subscription: Subscription,
  manifest: FetchManifest,
  isRequested: boolean,
): Promise<void> {
  const { url, cursor, discover = false } = subscription;
  // An announcement that comes from now on may be of a change that this fetch does not see.
  if (subscription.nextFetchReason === announcedReason) await manifest.lease.take();
  if (discover) await ports.robots?.check(ports.http, url);
  const began = ports.clock.now();
  const { unconditionalEvery } = settings;
  const conditions = conditionsOf(cursor, { now: began, unconditionalEvery, isRequested });
  const response = await ports.http.get({ url, ...conditions });
  const unconditionalAt = Object.keys(conditions).length === 0 ? began : cursor.unconditionalAt;
  // Without WebSub nothing is left to a hub that was relied on before.
  const { hub: _hub, ...hubless } = subscription;
  const reader = settings.callbacks === undefined ? hubless : subscription;
  let read: Omit<Parameters<typeof noteHub>[3], 'began'>;
  if (response.status === 'not-modified') {
    if (cursor.isUnread) throw stillUnread(subscription);
    await completeUnchanged(ports, reader, manifest, response);
    read = { response, hasChanged: false };
  } else {
    const found = discover
      ? await discoverFeed(ports, { collection, lease: manifest.lease }, response)
      : ({ kind: 'feed', response } as const);
    if (found.kind === 'found') return putBack(ports, manifest, found.next);
    const arrived = { ...found.response, unconditionalAt };
    try {
      const documents = await readDocuments(ports, settings, collection, reader, manifest, arrived);
      read = { response, ...documents };
    } catch (error) {
      if (!(error instanceof UnreadFeedError)) throw error;
      const unread = unreadCursor(cursor, response, unconditionalAt);
      return completeFailed(ports, settings, collection, subscription, manifest, error, unread);
    }
  }
  await noteHub(ports, settings.callbacks, subscription, { began, ...read });
  await noteMove(ports, settings.movedAfter ?? usualMove, subscription, manifest, response);
}

async function completeFailed(
  ports: FetchPorts,
  { retryAfterLimit }: FetchSettings,
  collection: Collection,
  subscription: Subscription,
  manifest: FetchManifest,
  error: FetchError | FeedError,
  cursor?: Cursor,
): Promise<void> {
  const at = ports.clock.now();
  const gone = error instanceof FetchError && error.status === 410;
  const rule = error instanceof FetchError ? error.rule : error.violation.rule;
  const cause = failureCause(error instanceof FetchError ? error : { rule });
  const { retryAfter, host } = error instanceof FetchError ? error : {};
  const pause = host === undefined ? undefined : ports.hosts?.pauseOf(host);
  const failed = manifest.lease.completion({
    report: { at, outcome: gone ? 'gone' : 'failed', rule, cause, reason: reasonOf(error) },
    transfer: manifest.transfer,
    ...(cursor && { cursor }),
    ...(gone && { status: 'gone' as const }),
    ...nextFetchAfterFailure(subscription, {
      ...hints(ports),
      ...(pause && { pause }),
      ...(retryAfter !== undefined && { retryAfter }),
      ...(retryAfterLimit !== undefined && { retryAfterLimit }),
    }),
  });
  await completeFetch(ports, collection, failed, {
    id: manifest.id,
    collection: collection.key,
    subscription: subscription.id,
    type: gone ? 'gone' : 'failed',
    at,
  });
  await manifest.remove();
}

function reasonOf(error: FetchError | FeedError): string {
  if (!(error instanceof FetchError) || error.status !== 403) return error.message;
  return (
    `${error.message}. The host refuses this client; you can set a User-Agent, an Accept-Language or a ` +
    'cookie for the subscription.'
  );
}

/** Ends a fetch that has not begun, or not come far, and is tried again. */
async function putBack({ store }: FetchPorts, manifest: FetchManifest, next: NextFetch): Promise<void> {
  await store.subscriptions.releaseAll([manifest.lease.release(next)]);
  await manifest.remove();
}

/** When to try again a walk that found no place. */
function whenWalksEnd(ports: FetchPorts, walks: number): NextFetch {
  const { now, fraction } = hints(ports);
  const nextFetchAt = new Date(now.getTime() + walkWait * (1 + fraction) * 1000);
  return { nextFetchAt, nextFetchReason: `${walks} other trees are being fetched (TREE_WALKS)` };
}
