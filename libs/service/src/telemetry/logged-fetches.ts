import { nameOf } from '#core';
import type { CollectionKey, FetchResult, Store, SubscriptionId } from '#core';

/** Takes a message and its fields. */
type Log = (message: string, fields: object) => void;

/**
 * The same store; each fetch whose end is recorded there is one line of the log. It names the subscription
 * and not its URL, which may hold a secret.
 */
export function loggedFetches<Logged extends Store>(store: Logged, log: Log): Logged {
  const { subscriptions } = store;
  return {
    ...store,
    subscriptions: {
      ...subscriptions,
      async complete(collection, id, manifest, result) {
        const isDone = await subscriptions.complete(collection, id, manifest, result);
        if (isDone) logFetch(log, collection, id, result);
        return isDone;
      },
      async completeAll(completions) {
        const done = await subscriptions.completeAll(completions);
        for (const { collection, id, result } of completions) logFetch(log, collection, id, result);
        return done;
      },
    },
  };
}

function logFetch(log: Log, collection: CollectionKey, id: SubscriptionId, result: FetchResult): void {
  const { outcome, rule, reason, items, rejected, progress } = result.report;
  log(outcome, {
    collection: nameOf(collection),
    subscription: id,
    ...(rule !== undefined && { rule }),
    ...(reason !== undefined && { reason }),
    ...(items !== undefined && { items }),
    ...(rejected !== undefined && { rejected }),
    ...(progress && { documents: progress.done, documentsFailed: progress.failed }),
    nextFetchAt: result.nextFetchAt.toISOString(),
    nextFetchReason: result.nextFetchReason,
  });
}
