import { FeedError } from '#xml';
import { requestPublish } from '#contracts';
import type { FetchJob } from '#contracts';
import { failureCause, FetchError, UnavailableError } from '#core';
import type { Collection, Cursor, NextFetch, Subscription } from '#core';
import { isFeedTree } from '#protocols';
import { conditionsOf } from './conditions.ts';
import { countedHttp } from './counted-http.ts';
import { discoverFeed } from './discovery/discover-feed.ts';
import { LeaseLostError } from './fetch-lease.ts';
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
import { noteSlowness, pacedPorts, untilDetached } from './slow/paced-ports.ts';
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
 *     lease ─▶ GET ─▶ scan ─▶ batches ─▶ open manifest ─▶ merge jobs ─▶ seal manifest
 *               │ 304            (the complete feed too, on first reading or out of sync)
 *               └──▶ completed at once, without a manifest
 *
 * If anything has to be merged, the cursor is not moved here: the seal says what it becomes once every batch
 * is merged. A feed that brings nothing new is completed at once. One that breaks off, is not well-formed or
 * passes a limit ends the fetch with its reason; the cursor stays. If the document is a page on which a feed
 * is to be discovered, the feed is fetched in its place. A subscription to a tree of feeds goes by
 * `syncTree`. If a host has no free slot, is paused, too many trees are being fetched, or the tenant has had
 * as many fetches as it may, nothing is held and the fetch is tried again later. One that waits for a slow
 * server goes on by itself.
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
  job: Omit<FetchJob, 'others'>,
): Promise<void> {
  if (ports.hosts === undefined) return fetchIfDue(ports, settings, job);
  const admission = await admitFetch(ports.store, ports.hosts, ports.clock.now(), job);
  if (admission === undefined) return;
  const { host, slot } = admission;
  const paced = pacedPorts(ports, admission);
  // It is due, and found by the schedule once there is a place.
  if (paced === undefined) return slot();
  const { pace } = paced;
  const fetch = fetchIfDue({ ...paced, http: withSlot(paced.http, host, slot) }, settings, job);
  const ended = fetch.finally(() => {
    slot();
    pace?.end();
  });
  await untilDetached(ended, pace);
}

async function fetchIfDue(
  ports: FetchPorts,
  settings: FetchSettings,
  job: Omit<FetchJob, 'others'>,
): Promise<void> {
  const { store, clock, random } = ports;
  const collection = await store.collections.find(job.collection);
  if (collection === undefined) return;
  // A job that arrives twice, or after another fetch, finds the subscription not due any more.
  const subscription = await store.subscriptions.lease(
    job.collection,
    job.subscription,
    random.identifier(),
    settings.lease,
    clock.now(),
  );
  if (subscription === undefined) return;
  try {
    await fetchLeased(ports, settings, collection, subscription, true);
  } catch (error) {
    if (error instanceof UnavailableError) ports.left?.add(subscription);
    throw error;
  }
}

/**
 * Fetches a subscription that is leased, and ends the lease unless something is left to be merged.
 * @param isRequested whether somebody has requested this fetch
 */
export async function fetchLeased(
  { http, ...others }: FetchPorts,
  settings: FetchSettings,
  collection: Collection,
  subscription: Subscription,
  isRequested = false,
): Promise<void> {
  const { hosts, credentialKeys = [] } = others;
  const named = withSubscribers(http, subscription, others.subscribers);
  const manifest = new FetchManifest(others, subscription, subscription.manifest ?? '', others.clock.now());
  const authorised = subscriberHttp(named, subscription, credentialKeys);
  const ports = { ...others, http: countedHttp(authorised, manifest.transfer) };
  const delay = await ports.tenants?.delay(subscription);
  if (delay !== undefined) return putBack(ports, subscription, manifest, delay);
  const isTree = isFeedTree(collection);
  const walks = isTree ? ports.walks : undefined;
  const endWalk = walks?.take();
  if (walks !== undefined && endWalk === undefined) {
    return putBack(ports, subscription, manifest, whenWalksEnd(ports, walks.size));
  }
  try {
    await noteSlowness(ports, subscription, () =>
      isTree
        ? syncTree(ports, settings, collection, subscription, manifest)
        : fetchFeed(ports, settings, collection, subscription, manifest, isRequested),
    );
  } catch (error) {
    if (error instanceof LeaseLostError) return manifest.remove();
    if (!(error instanceof FetchError) && !(error instanceof FeedError)) throw error;
    const next = error instanceof FetchError ? untilHostIsFree(error, hosts, hints(ports)) : undefined;
    if (next === undefined) await completeFailed(ports, settings, subscription, manifest, error);
    else await putBack(ports, subscription, manifest, next);
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
    const fetch = { collection, subscription, manifest: manifest.id };
    const found = discover
      ? await discoverFeed(ports, settings, fetch, response)
      : ({ kind: 'feed', response } as const);
    if (found.kind === 'found') return putBack(ports, subscription, manifest, found.next);
    const arrived = { ...found.response, unconditionalAt };
    try {
      const documents = await readDocuments(ports, settings, collection, reader, manifest, arrived);
      read = { response, ...documents };
    } catch (error) {
      if (!(error instanceof UnreadFeedError)) throw error;
      const unread = unreadCursor(cursor, response, unconditionalAt);
      return completeFailed(ports, settings, subscription, manifest, error, unread);
    }
  }
  await noteHub(ports, settings.callbacks, subscription, { began, ...read });
  await noteMove(ports, settings.movedAfter ?? usualMove, subscription, manifest, response);
}

async function completeFailed(
  ports: FetchPorts,
  { retryAfterLimit }: FetchSettings,
  subscription: Subscription,
  manifest: FetchManifest,
  error: FetchError | FeedError,
  cursor?: Cursor,
): Promise<void> {
  const { collection, id } = subscription;
  const at = ports.clock.now();
  const gone = error instanceof FetchError && error.status === 410;
  const rule = error instanceof FetchError ? error.rule : error.violation.rule;
  const cause = failureCause(error instanceof FetchError ? error : { rule });
  const { retryAfter, host } = error instanceof FetchError ? error : {};
  const pause = host === undefined ? undefined : ports.hosts?.pauseOf(host);
  await ports.store.notices.add({
    id: manifest.id,
    collection,
    subscription: id,
    type: gone ? 'gone' : 'failed',
    at,
  });
  await ports.store.subscriptions.complete(collection, id, manifest.id, {
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
  await manifest.remove();
  await ports.queue.send([requestPublish(collection)]);
}

function reasonOf(error: FetchError | FeedError): string {
  if (!(error instanceof FetchError) || error.status !== 403) return error.message;
  return (
    `${error.message}. The host refuses this client; you can set a User-Agent, an Accept-Language or a ` +
    'cookie for the subscription.'
  );
}

/** Ends a fetch that has not begun, or not come far, and is tried again. */
async function putBack(
  { store }: FetchPorts,
  { collection, id }: Subscription,
  manifest: FetchManifest,
  next: NextFetch,
): Promise<void> {
  await store.subscriptions.release(collection, id, manifest.id, next);
  await manifest.remove();
}

/** When to try again a walk that found no place. */
function whenWalksEnd(ports: FetchPorts, walks: number): NextFetch {
  const { now, fraction } = hints(ports);
  const nextFetchAt = new Date(now.getTime() + walkWait * (1 + fraction) * 1000);
  return { nextFetchAt, nextFetchReason: `${walks} other trees are being fetched (TREE_WALKS)` };
}
