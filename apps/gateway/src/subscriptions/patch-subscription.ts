import { subscriptionPatch } from '#contracts';
import type { CollectionKey, Subscription, SubscriptionId } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { checkInput } from '../requests/check-input.ts';
import type { JsonObject } from '../requests/merge-patch.ts';
import { findSubscription } from './find-subscription.ts';
import { subscribe } from './subscribe.ts';

/**
 * Makes a merge patch to a subscription (RFC 7396). Throws `ProblemError` 404 for no such subscription, 400
 * for a wrong value, and as `subscribe` does.
 */
export async function patchSubscription(
  ports: GatewayPorts,
  collection: CollectionKey,
  id: SubscriptionId,
  patch: JsonObject,
): Promise<Subscription> {
  const { url, interval, adopt, ...request } = checkInput(subscriptionPatch, 'body', patch);
  const existing = await findSubscription(ports, collection, id);
  const changed = interval === null ? undefined : { ...existing.interval, ...withoutAbsent(interval ?? {}) };
  const changes = {
    ...request,
    subscription: id,
    url: url ?? existing.url,
    interval: changed,
    adopt: adopt === null ? undefined : (adopt ?? existing.adopt),
  };
  return (await subscribe(ports, collection, changes)).subscription;
}

function withoutAbsent({
  minimum,
  maximum,
}: {
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}): Partial<Subscription['interval']> {
  return { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
}
