import type { FetchResponse, Subscription } from '#core';
import type { FeedHead } from '#xml';
import type { FetchPorts } from '../fetch-ports.ts';
import { hubOf } from './feed-hub.ts';
import type { NamedHub } from './feed-hub.ts';
import { trustInHub } from './hub-trust.ts';

/** What a fetch has brought. */
interface FetchedFeed {
  readonly response: FetchResponse;
  /** When the fetch began. */
  readonly began: Date;
  /** Absent if the feed was not sent again. */
  readonly head?: FeedHead;
  readonly hasChanged: boolean;
}

/**
 * Keeps which hub a feed names and whether it announces what there is, and sees to it that there is a
 * subscription at that hub.
 * @param callbacks what callbacks begin with; undefined if WebSub is off: hubs are forgotten then
 */
export async function noteHub(
  { store, clock, random }: Pick<FetchPorts, 'store' | 'clock' | 'random'>,
  callbacks: string | undefined,
  subscription: Subscription,
  { response, began, head, hasChanged }: FetchedFeed,
): Promise<void> {
  const { collection, id, hub: former } = subscription;
  const said = callbacks === undefined ? undefined : hubOf(response, head);
  const named = said === 'unsaid' ? former : said;
  const isSame = named?.url === former?.url && named?.topic === former?.topic;
  const trust = trustInHub(subscription, hasChanged, began);
  if (!isSame) {
    await store.subscriptions.setHub(subscription, named);
    if (callbacks !== undefined && trust.announces)
      await store.subscriptions.pollAsUsual(subscription, clock.now());
    // What there is at the former hub has to end.
    if (former !== undefined) await store.hubs.wake(collection, id, clock.now());
  } else if (former && trust.hasMissed) {
    await store.subscriptions.noteHub(subscription, former, { missedAt: began });
  }
  const isLeased = isSame && (former?.leasedUntil?.getTime() ?? 0) > clock.now().getTime();
  if (callbacks === undefined || named === undefined || isLeased) return;
  // Each has 128 bits.
  const [token, secret] = [0, 1].map(() => random.identifier() + random.identifier()) as [string, string];
  await store.hubs.add({
    collection,
    subscription: id,
    ...rowOf(named),
    token,
    secret,
    callback: callbacks + token,
    attempts: 0,
    nextAt: clock.now(),
    revision: 0,
  });
}

function rowOf({ url, topic }: NamedHub): { readonly hub: string; readonly topic: string } {
  return { hub: url, topic };
}
