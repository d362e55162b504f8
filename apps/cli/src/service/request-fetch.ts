import type { SubscriptionView } from '#contracts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { Output } from '../terminal/output.ts';
import { printable } from '../terminal/text.ts';
import { CommandError, exitCode } from '../command-error.ts';
import { awaitFetch } from './await-fetch.ts';
import { changeMany, namedOne } from './change-many.ts';
import type { SelectedSubscriptions } from './change-many.ts';
import { pausedError } from './follow-subscription.ts';
import { checkFetched, outcomeCode, outcomeText } from './fetch-outcome.ts';
import { collectionPath, Service } from './service.ts';
import type { ServiceOptions } from './service.ts';

interface FetchArguments extends ServiceOptions {
  readonly collection: string;
  /** The subscription's name. */
  readonly subscription: string;
  /** Whether to wait until the feed has been fetched. */
  readonly wait: boolean;
  readonly output: 'text' | 'json';
}

/** What is fetched: the feed of one subscription, or those of a filter. */
export interface FetchSelection extends SelectedSubscriptions {
  /** Whether to wait until the feed has been fetched. */
  readonly wait: boolean;
}

/**
 * Has the feed of a subscription fetched now, or those of a filter soon.
 * @throws as `requestFetch` does; CommandError (64) if neither or both are given, or many are to be awaited
 */
export async function fetchSelected(
  action: 'refresh' | 'resume',
  selected: FetchSelection,
  io: Io,
): Promise<ExitCode> {
  const one = namedOne(selected);
  if (one !== undefined) return requestFetch(action, one, io);
  if (selected.wait) throw new CommandError('--wait is for one subscription', exitCode.usage);
  return changeMany(action, selected, io);
}

/**
 * Has the feed of a subscription fetched now. With `wait` it returns `violations` if some of what the feed
 * holds is missing.
 * @throws as `Service` does; CommandError if it is paused (3), with `wait` if the feed could not be fetched
 * (2) or the person interrupts it (1)
 */
async function requestFetch(
  action: 'refresh' | 'resume',
  { collection, subscription: id, wait, output: format, ...options }: FetchArguments,
  io: Io,
): Promise<ExitCode> {
  const service = new Service(options, io);
  const output = new Output(io.stdout);
  const subscription = await service.json<SubscriptionView>(
    collectionPath(collection, 'subscriptions', id, action),
    { method: 'POST' },
  );
  if (subscription.status !== 'active') throw pausedError(collection, id);
  if (format === 'text')
    await output.write(`${printable(`${id} of ${collection} fetches ${subscription.url} now`)}\n`);
  if (!wait) {
    if (format === 'json') await output.write(`${JSON.stringify(subscription)}\n`);
    await output.flush();
    return exitCode.done;
  }
  const fetched = await awaitFetch(service, collection, id, subscription.last?.at, io);
  await output.write(format === 'json' ? `${JSON.stringify(fetched)}\n` : `${outcomeText(fetched.last)}\n`);
  await output.flush();
  checkFetched(fetched.url, fetched.last);
  return outcomeCode(fetched.last);
}
