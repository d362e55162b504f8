import { createHash } from 'node:crypto';
import { isShared } from '#ports';
import type { Subscription } from '#ports';
import { findCollection } from '../collections/find-collection.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { invalidInput } from '../problems/problem-error.ts';
import { checkMirror } from '../tree/mirror.ts';

export interface SubscribeRequest {
  /** Made of the address where it is left out. */
  readonly subscription?: string | undefined;
  readonly url: string;
  /** In seconds. */
  readonly interval?: Subscription['interval'] | undefined;
}

const defaultInterval = { minimum: 60, maximum: 86_400 };

/**
 * Subscribes a collection to a feed, or replaces the address and interval of a subscription that there is. A new feed, and one
 * that was gone, is fetched at once; a paused one stays paused. Throws `ProblemError` 404 for no such collection, 400 for an
 * interval the wrong way round, 409 where a tree of feeds can't become a mirror.
 */
export async function subscribe(ports: GatewayPorts, collection: string, request: SubscribeRequest): Promise<{ created: boolean; subscription: Subscription }> {
  const { store, clock, jobs } = ports;
  const { url, interval = defaultInterval, subscription: id = nameFor(url) } = request;
  if (interval.minimum > interval.maximum) throw invalidInput([{ path: 'body.interval', message: 'the minimum is at most the maximum' }]);
  const found = await findCollection(ports, collection);
  const existing = await store.subscriptions.find(collection, id);
  if (existing === undefined && !isShared(found)) await checkMirror(ports, collection, id);
  const isSameFeed = existing?.url === url;
  const next = { nextFetchAt: clock.now(), nextFetchReason: 'it was just subscribed' };
  const stored = await store.subscriptions.put({
    collection, id, url, interval, ...next,
    status: isSameFeed && existing.status === 'paused' ? 'paused' : 'active',
    cursor: {}, cursorVersion: 0, failures: 0, createdAt: clock.now(),
  });
  if (stored.created && !isShared(found)) await keepMirror(ports, collection, id);
  if (isSameFeed && existing.status !== 'gone') return stored;
  const due = isSameFeed ? await store.subscriptions.refresh(collection, id, next, false) : undefined;
  jobs.fetch(collection, id);
  return { ...stored, subscription: due ?? stored.subscription };
}

/** Takes a new subscription of a tree back, and throws as `checkMirror` does, where another one, or an item, has come at the same time. */
async function keepMirror(ports: GatewayPorts, collection: string, id: string): Promise<void> {
  try {
    await checkMirror(ports, collection, id);
  } catch (error) {
    await ports.store.subscriptions.remove(collection, id);
    throw error;
  }
}

/** A name that is the same for the same address: `example-org-1a2b3c4d`. */
function nameFor(url: string): string {
  const host = new URL(url).hostname.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 50);
  return `${host || 'feed'}-${createHash('sha256').update(url).digest('hex').slice(0, 8)}`;
}
