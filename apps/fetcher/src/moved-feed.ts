import { requestPublish } from '#contracts';
import { originOf, withoutUserInfo } from '#core';
import type { FetchResponse, Subscription } from '#core';
import type { FetchManifest } from './fetch-manifest.ts';
import type { FetchPorts } from './fetch-ports.ts';

/** What is to be done about the place that a feed has been redirected to for good. */
export type MoveDecision =
  | { readonly kind: 'nothing' | 'forget' }
  | { readonly kind: 'remember'; readonly move: NonNullable<Subscription['move']> }
  | { readonly kind: 'follow'; readonly url: string };

/**
 * Decides what a fetch says about the address of a feed: a permanent redirect (301, 308) to the same place
 * for long enough is followed for good. One to another origin never is if there are credentials, which are
 * not for that origin.
 * @param movedTo where permanent redirects led to; undefined if there was none
 * @param after milliseconds for which it must have been the same
 */
export function decideMove(
  { url, move, credentials }: Pick<Subscription, 'url' | 'move' | 'credentials'>,
  movedTo: string | undefined,
  now: Date,
  after: number,
): MoveDecision {
  const isForOthers = credentials !== undefined && originOf(movedTo ?? url) !== originOf(url);
  if (movedTo === undefined || movedTo === url || isForOthers)
    return { kind: move === undefined ? 'nothing' : 'forget' };
  if (move?.url !== movedTo) return { kind: 'remember', move: { url: movedTo, since: now } };
  const isLongEnough = now.getTime() - move.since.getTime() >= after;
  return isLongEnough ? { kind: 'follow', url: movedTo } : { kind: 'nothing' };
}

/** Does what `decideMove` says, with an event if the subscription has a new address from now on. */
export async function noteMove(
  { store, queue, clock }: FetchPorts,
  after: number,
  subscription: Subscription,
  manifest: Pick<FetchManifest, 'id'>,
  { movedTo }: FetchResponse,
): Promise<void> {
  const { collection, id, url: formerUrl } = subscription;
  const now = clock.now();
  const decision = decideMove(subscription, movedTo, now, after);
  if (decision.kind === 'forget') await store.subscriptions.noteMove(subscription, undefined);
  if (decision.kind === 'remember') await store.subscriptions.noteMove(subscription, decision.move);
  if (decision.kind !== 'follow') return;
  const { url } = decision;
  if (!(await store.subscriptions.followMove(subscription, url))) return;
  const moved = { url, formerUrl: withoutUserInfo(formerUrl) };
  const notice = { collection, subscription: id, type: 'moved', at: now } as const;
  await store.notices.add({ id: `${manifest.id}.moved`, ...notice, ...moved });
  await queue.send([requestPublish(collection)]);
}
