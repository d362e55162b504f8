import { exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { collectionPath, Service } from '../service/service.ts';
import type { ServiceOptions } from '../service/service.ts';
import { printResult } from '../terminal/print-result.ts';

export interface SubscriptionArguments extends ServiceOptions {
  readonly collection: string;
  /** The subscription's name. */
  readonly subscription: string;
  readonly output: 'text' | 'json';
}

/** Ends a subscription; its items stay. Throws as `Service` does. */
export async function unsubscribe(
  { collection, subscription, output, ...options }: SubscriptionArguments,
  io: Io,
): Promise<ExitCode> {
  await new Service(options, io).send(collectionPath(collection, 'subscriptions', subscription), {
    method: 'DELETE',
  });
  await printResult(
    { collection, subscription, deleted: true },
    `${collection} is no longer subscribed to ${subscription}; its items stay\n`,
    output,
    io,
  );
  return exitCode.done;
}
