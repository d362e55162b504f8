import { exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import type { SubscriptionAnswer } from '../service/answers.ts';
import { collectionPath, Service } from '../service/service.ts';
import type { ServiceOptions } from '../service/service.ts';
import { Output } from '../terminal/output.ts';
import { printable } from '../terminal/text.ts';

export interface SubscribeArguments extends ServiceOptions {
  readonly collection: string;
  readonly feed: string;
  /** The subscription's name; the service makes one where it is absent. */
  readonly name?: string;
  /** Seconds between two fetches. */
  readonly interval?: { readonly minimum: number; readonly maximum: number };
  readonly output: 'text' | 'json';
}

/** Subscribes a collection to a feed; with the name of a subscription that exists, changes it. Throws as `Service` does. */
export async function subscribe({ collection, feed, name, interval, output: format, ...options }: SubscribeArguments, io: Io): Promise<ExitCode> {
  const service = new Service(options, io);
  const body = { url: feed, interval };
  const subscription = await (name === undefined
    ? service.json<SubscriptionAnswer>(collectionPath(collection, 'subscriptions'), { method: 'POST', body })
    : service.json<SubscriptionAnswer>(collectionPath(collection, 'subscriptions', name), { method: 'PUT', body }));
  const output = new Output(io.stdout);
  await output.write(format === 'json' ? `${JSON.stringify(subscription)}\n` : `${printable(`${collection} is subscribed to ${subscription.url} as ${subscription.id}`)}\n`);
  await output.flush();
  return exitCode.done;
}
