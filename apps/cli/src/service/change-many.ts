import type { ChangedSubscriptionsView } from '#contracts';
import { CommandError, exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { printResult } from '../terminal/print-result.ts';
import { count } from '../terminal/text.ts';
import { timeText } from '../terminal/time.ts';
import { Service } from './service.ts';
import type { ServiceOptions } from './service.ts';
import { subscriptionsPath } from './subscription-filter.ts';
import type { SubscriptionFilter } from './subscription-filter.ts';

/** What a command changes: one subscription, or those of a filter. */
export interface SelectedSubscriptions extends ServiceOptions, SubscriptionFilter {
  /** The name of one. */
  readonly subscription?: string;
  /** Whether all are meant, those of the collection if there is one. */
  readonly all: boolean;
  readonly output: 'text' | 'json';
}

const participle = { pause: 'paused', resume: 'resumed', refresh: 'due' } as const;

/** One subscription of a collection, if a command is for that; undefined if it is for those of a filter. */
export function namedOne<
  Given extends Pick<SelectedSubscriptions, keyof SubscriptionFilter | 'subscription' | 'all'>,
>(given: Given): (Given & { readonly collection: string; readonly subscription: string }) | undefined {
  const { collection, subscription, state, cause, all } = given;
  const isFilter = state !== undefined || cause !== undefined || all;
  if (subscription !== undefined && isFilter)
    throw new CommandError('--state, --cause and --all are for many: name no subscription', exitCode.usage);
  if (subscription === undefined && !isFilter)
    throw new CommandError(
      'name a subscription, or say which ones with --state or --cause, or --all',
      exitCode.usage,
    );
  return collection === undefined || subscription === undefined
    ? undefined
    : { ...given, collection, subscription };
}

/** Pauses, resumes or refreshes the subscriptions of a filter in one request. Throws as `Service` does. */
export async function changeMany(
  action: keyof typeof participle,
  { collection, state, cause, output, ...options }: SelectedSubscriptions,
  io: Io,
): Promise<ExitCode> {
  const filter = {
    ...(collection !== undefined && { collection }),
    ...(state !== undefined && { state }),
    ...(cause !== undefined && { cause }),
  };
  const path = subscriptionsPath(filter, `/${action}`);
  const result = await new Service(options, io).json<ChangedSubscriptionsView>(path, { method: 'POST' });
  const { changed, dueUntil } = result;
  const until = dueUntil === undefined ? '' : `, fetched by ${timeText(io, dueUntil)}`;
  const text = `${count(changed, 'subscription')} ${participle[action]}${until}\n`;
  await printResult(result, text, output, io);
  return exitCode.done;
}
