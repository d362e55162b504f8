import { nameOf } from '#core';
import type { Completion, Store } from '#core';
import { observedFetches } from './observed-fetches.ts';

/** Takes a message and its fields. */
type Log = (message: string, fields: object) => void;

/**
 * The same store; each fetch whose end is recorded there is one line of the log. It names the subscription
 * and not its URL, which may hold a secret.
 */
export function loggedFetches<Logged extends Store>(store: Logged, log: Log): Logged {
  return observedFetches(store, (completions) => {
    for (const completion of completions) logFetch(log, completion);
  });
}

function logFetch(log: Log, { collection, id, result }: Completion): void {
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
