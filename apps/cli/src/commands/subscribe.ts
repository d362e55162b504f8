import { CommandError, exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import type { FetchAnswer, SubscriptionAnswer } from '../service/answers.ts';
import { checkFetched, outcomeCode, outcomeText } from '../service/fetch-outcome.ts';
import { followSubscription } from '../service/follow-subscription.ts';
import { ProblemError } from '../service/service-error.ts';
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
  /** Whether to wait until the feed has been fetched for the first time. */
  readonly wait: boolean;
  readonly output: 'text' | 'json';
}

/**
 * Subscribes a collection to a feed; with the name of a subscription that exists, changes it. With `wait` it answers `breaches` where some of
 * what the feed holds could not be had.
 * @throws as `Service` does; with `wait` CommandError where the feed could not be fetched (2), and where the person does not wait for it (1)
 */
export async function subscribe({ collection, feed, name, interval, wait, output: format, ...options }: SubscribeArguments, io: Io): Promise<ExitCode> {
  const service = new Service(options, io);
  const output = new Output(io.stdout);
  const former = wait && name !== undefined ? await existing(service, collection, name) : undefined;
  const subscription = await put(service, collection, name, { url: feed, interval });
  if (format === 'text') await output.write(`${printable(`${collection} is subscribed to ${subscription.url} as ${subscription.id}`)}\n`);
  if (!wait) {
    if (format === 'json') await output.write(`${JSON.stringify(subscription)}\n`);
    await output.flush();
    return exitCode.done;
  }
  const { url, last } = subscription;
  const isFetchedAnew = last?.outcome === 'gone' || (former !== undefined && former.url !== url);
  const fetched = await firstFetch(service, collection, subscription.id, isFetchedAnew ? last?.at : undefined, io);
  await output.write(format === 'json' ? `${JSON.stringify(fetched)}\n` : `${outcomeText(fetched.last)}\n`);
  await output.flush();
  checkFetched(url, fetched.last);
  return outcomeCode(fetched.last);
}

async function existing(service: Service, collection: string, name: string): Promise<SubscriptionAnswer | undefined> {
  try {
    return await service.json<SubscriptionAnswer>(collectionPath(collection, 'subscriptions', name));
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return undefined;
    throw error;
  }
}

async function put(service: Service, collection: string, name: string | undefined, body: object): Promise<SubscriptionAnswer> {
  return name === undefined
    ? service.json(collectionPath(collection, 'subscriptions'), { method: 'POST', body })
    : service.json(collectionPath(collection, 'subscriptions', name), { method: 'PUT', body });
}

/** Waits until a fetch has ended, other than the one that ended at `before`. */
async function firstFetch(service: Service, collection: string, id: string, before: string | undefined, io: Io): Promise<SubscriptionAnswer & { readonly last: FetchAnswer }> {
  for await (const subscription of followSubscription(service, collection, id, io)) {
    const { isFetching = false, last } = subscription;
    if (!isFetching && last !== undefined && last.at !== before) return { ...subscription, last };
  }
  throw new CommandError('interrupted; the service goes on with the fetch', exitCode.breaches);
}
