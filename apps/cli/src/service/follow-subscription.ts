import type { SubscriptionView } from '#contracts';
import { setTimeout as delay } from 'node:timers/promises';
import type { Io } from '../io.ts';
import { progressBar } from '../terminal/progress-bar.ts';
import { Progress } from '../terminal/progress.ts';
import { CommandError, exitCode } from '../command-error.ts';
import { collectionPath } from './service.ts';
import type { Service } from './service.ts';

/** Milliseconds between two looks. */
const pause = 250;

/**
 * A subscription as it is, again and again until Ctrl-C; on a terminal a bar shows how far its fetch is.
 * @throws CommandError if it is paused, so that no fetch comes; and as `Service` does
 */
export async function* followSubscription(
  service: Service,
  collection: string,
  id: string,
  io: Io,
): AsyncGenerator<SubscriptionView> {
  const interruption = io.interruption();
  const progress = new Progress(io);
  try {
    while (!interruption.aborted) {
      const subscription = await service.json<SubscriptionView>(
        collectionPath(collection, 'subscriptions', id),
      );
      yield subscription;
      if (subscription.status === 'paused') throw pausedError(collection, id);
      progress.show(progressLine(subscription));
      await delay(pause, undefined, { signal: interruption }).catch(() => undefined);
    }
  } finally {
    progress.clear();
  }
}

/** A paused subscription fetches nothing. */
export function pausedError(collection: string, id: string): CommandError {
  return new CommandError(
    `the subscription ${id} of ${collection} is paused; feedmesh resume ${collection} ${id} resumes it`,
    exitCode.refused,
  );
}

function progressLine({ isFetching, progress }: SubscriptionView): string {
  if (!isFetching) return 'waiting for the fetch to begin';
  return progress === undefined ? 'fetching' : progressBar(progress);
}
