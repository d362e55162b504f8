import type { SubscriptionView } from '#contracts';
import { exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { collectionPath, Service } from '../service/service.ts';
import { printResult } from '../terminal/print-result.ts';
import type { SubscriptionArguments } from './unsubscribe.ts';

/** Stops fetching a subscription until it is resumed. Throws as `Service` does. */
export async function pause(
  { collection, subscription, output, ...options }: SubscriptionArguments,
  io: Io,
): Promise<ExitCode> {
  const paused = await new Service(options, io).json<SubscriptionView>(
    collectionPath(collection, 'subscriptions', subscription, 'pause'),
    { method: 'POST' },
  );
  await printResult(paused, `${subscription} of ${collection} is ${paused.status}\n`, output, io);
  return exitCode.done;
}
