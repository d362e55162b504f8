import type { SubscriptionView } from '#contracts';
import { exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { changeMany, namedOne } from '../service/change-many.ts';
import type { SelectedSubscriptions } from '../service/change-many.ts';
import { collectionPath, Service } from '../service/service.ts';
import { printResult } from '../terminal/print-result.ts';

/**
 * Stops fetching a subscription, or those of a filter, until they are resumed.
 * @throws as `Service` does; CommandError (64) if neither or both are given
 */
export async function pause(selected: SelectedSubscriptions, io: Io): Promise<ExitCode> {
  const one = namedOne(selected);
  if (one === undefined) return changeMany('pause', selected, io);
  const { collection, subscription, output, ...options } = one;
  const paused = await new Service(options, io).json<SubscriptionView>(
    collectionPath(collection, 'subscriptions', subscription, 'pause'),
    { method: 'POST' },
  );
  await printResult(paused, `${subscription} of ${collection} is ${paused.status}\n`, output, io);
  return exitCode.done;
}
