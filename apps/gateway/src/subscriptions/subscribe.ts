import { isFeedTree } from '#protocols';
import { comparableUrl } from '#protocol';
import { createHash } from 'node:crypto';
import { nameOf, subscriptionId } from '#core';
import type { CollectionKey, Subscription, SubscriptionId } from '#core';
import { findCollection } from '../collections/find-collection.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { invalidInput, ProblemError } from '../problems/problem-error.ts';
import { checkMirror } from '../tree/mirror.ts';
import { allSubscriptions } from './all-subscriptions.ts';

interface SubscribeRequest {
  /** The name; without it that of the subscription which reads this feed, or one made from the URL. */
  readonly subscription?: SubscriptionId | undefined;
  readonly url: string;
  /** In seconds. */
  readonly interval?: Subscription['interval'] | undefined;
}

const defaultInterval = { minimum: 60, maximum: 86_400 };

interface Subscribed {
  readonly created: boolean;
  readonly subscription: Subscription;
}

/**
 * Subscribes a collection to a feed as `putSubscription` does, but to each feed once: a request without a
 * name gets the subscription that reads this feed already, with its interval unless it brings one. Throws
 * `ProblemError` 409 `already-subscribed` if the feed is subscribed to under another name than the requested
 * one, and as `putSubscription` does.
 */
export async function subscribe(
  ports: GatewayPorts,
  collection: CollectionKey,
  request: SubscribeRequest,
): Promise<Subscribed> {
  const existing = await subscriptionTo(ports, collection, request.url);
  if (existing === undefined || existing.id === request.subscription)
    return putSubscription(ports, collection, request);
  const { id, url, interval } = existing;
  if (request.subscription === undefined)
    return putSubscription(ports, collection, {
      subscription: id,
      url,
      interval: request.interval ?? interval,
    });
  throw new ProblemError(
    409,
    'already-subscribed',
    `The collection "${nameOf(collection)}" is already subscribed to ${url} as "${id}".`,
    { subscription: id },
  );
}

/** The subscription of a collection that reads this feed. */
async function subscriptionTo(
  { store }: GatewayPorts,
  collection: CollectionKey,
  url: string,
): Promise<Subscription | undefined> {
  const wanted = comparableUrl(url);
  return (await allSubscriptions(store, collection)).find(
    (subscription) => comparableUrl(subscription.url) === wanted,
  );
}

/**
 * Subscribes a collection to a feed, or replaces the address and interval of a subscription that there is. A
 * new feed, and one that was gone, is fetched at once; a paused one stays paused. Throws `ProblemError` 404
 * for no such collection, 400 for an interval the wrong way round, 409 if a tree of feeds can't become a
 * mirror.
 */
export async function putSubscription(
  ports: GatewayPorts,
  collection: CollectionKey,
  request: SubscribeRequest,
): Promise<Subscribed> {
  const { store, clock, jobs } = ports;
  const { url, interval = defaultInterval, subscription: id = nameFor(url) } = request;
  if (interval.minimum > interval.maximum)
    throw invalidInput([{ path: 'body.interval', message: 'the minimum is at most the maximum' }]);
  const found = await findCollection(ports, collection);
  const existing = await store.subscriptions.find(collection, id);
  if (existing === undefined && isFeedTree(found)) await checkMirror(ports, collection, id);
  const isSameFeed = existing?.url === url;
  const next = { nextFetchAt: clock.now(), nextFetchReason: 'it was just subscribed' };
  const stored = await store.subscriptions.put({
    collection,
    id,
    url,
    interval,
    ...next,
    status: isSameFeed && existing.status === 'paused' ? 'paused' : 'active',
    cursor: {},
    cursorVersion: 0,
    failures: 0,
    createdAt: clock.now(),
  });
  if (stored.created && isFeedTree(found)) await keepMirror(ports, collection, id);
  if (isSameFeed && existing.status !== 'gone') return stored;
  const due = isSameFeed ? await store.subscriptions.refresh(collection, id, next, false) : undefined;
  jobs.fetch(collection, id);
  return { ...stored, subscription: due ?? stored.subscription };
}

/**
 * Takes a new subscription of a tree back, and throws as `checkMirror` does, if another one, or an item,
 * has come at the same time.
 */
async function keepMirror(ports: GatewayPorts, collection: CollectionKey, id: SubscriptionId): Promise<void> {
  try {
    await checkMirror(ports, collection, id);
  } catch (error) {
    await ports.store.subscriptions.remove(collection, id);
    throw error;
  }
}

/** A name that is the same for the same address: `example-org-1a2b3c4d`. */
function nameFor(url: string): SubscriptionId {
  const host = new URL(url).hostname
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 50);
  return subscriptionId(`${host || 'feed'}-${createHash('sha256').update(url).digest('hex').slice(0, 8)}`);
}
