import type { ChangedSubscriptionsView } from '#contracts';
import type { SubscriptionFilter } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';

/** Pauses the active subscriptions that a filter is for. */
export async function pauseAll(
  { store }: GatewayPorts,
  filter: SubscriptionFilter,
): Promise<ChangedSubscriptionsView> {
  return { changed: await store.subscriptions.pauseAll(filter) };
}

/** Makes the active subscriptions that a filter is for due, so many in a second. */
export function refreshAll(
  ports: GatewayPorts,
  filter: SubscriptionFilter,
): Promise<ChangedSubscriptionsView> {
  return fetchAllSoon(ports, filter, 'it was requested, with others', false);
}

/** Resumes the paused subscriptions that a filter is for, and makes them due as `refreshAll` does. */
export function resumeAll(
  ports: GatewayPorts,
  filter: SubscriptionFilter,
): Promise<ChangedSubscriptionsView> {
  return fetchAllSoon(ports, filter, 'it was just resumed, with others', true);
}

/** Fetchers find what is due by themselves: one job for each would only say the same at once. */
async function fetchAllSoon(
  { store, clock, configuration: { GATEWAY_REFRESH_RATE } }: GatewayPorts,
  filter: SubscriptionFilter,
  nextFetchReason: string,
  activate: boolean,
): Promise<ChangedSubscriptionsView> {
  const nextFetchAt = clock.now();
  const spread = (1000 * (await store.subscriptions.count(filter))) / GATEWAY_REFRESH_RATE;
  const next = { nextFetchAt, nextFetchReason };
  const changed = await store.subscriptions.refreshAll(filter, next, spread, activate);
  if (changed === 0) return { changed };
  return { changed, dueUntil: new Date(nextFetchAt.getTime() + spread).toISOString() };
}
