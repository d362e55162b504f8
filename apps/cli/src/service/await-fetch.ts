import type { FetchReportView, SubscriptionView } from '#contracts';
import { CommandError, exitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { followSubscription } from './follow-subscription.ts';
import type { Service } from './service.ts';

/**
 * Waits until a fetch has ended, other than the one that ended at `before`.
 * @throws CommandError if the person interrupts it (1) or it is paused (3); and as `Service` does
 */
export async function awaitFetch(
  service: Service,
  collection: string,
  id: string,
  before: string | undefined,
  io: Io,
): Promise<SubscriptionView & { readonly last: FetchReportView }> {
  for await (const subscription of followSubscription(service, collection, id, io)) {
    const { isFetching, last } = subscription;
    if (!isFetching && last !== undefined && last.at !== before) return { ...subscription, last };
  }
  throw new CommandError('interrupted; the service goes on with the fetch', exitCode.violations);
}
