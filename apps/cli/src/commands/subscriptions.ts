import { exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import type { SubscriptionAnswer } from '../service/answers.ts';
import { outcomeText } from '../service/fetch-outcome.ts';
import { printList } from '../service/print-list.ts';
import type { Columns } from '../service/print-list.ts';
import { collectionPath, Service } from '../service/service.ts';
import type { ServiceOptions } from '../service/service.ts';
import { timeText } from '../terminal/time.ts';

export interface SubscriptionsArguments extends ServiceOptions {
  readonly collection: string;
  readonly output: 'text' | 'json';
}

const columns = (io: Io): Columns<SubscriptionAnswer> => ({
  NAME: ({ id }) => id,
  STATUS: ({ status }) => status,
  LAST: ({ last }) => (last === undefined ? 'not yet fetched' : last.reason === undefined ? outcomeText(last) : `${last.outcome}: ${last.reason}`),
  FAILURES: ({ failures = 0 }) => failures,
  NEXT: ({ nextFetchAt = '' }) => timeText(io, nextFetchAt),
  URL: ({ url }) => url,
});

/** Lists the subscriptions of a collection. Throws as `Service` does. */
export async function subscriptions({ collection, output, ...options }: SubscriptionsArguments, io: Io): Promise<ExitCode> {
  await printList(new Service(options, io).list<SubscriptionAnswer>(collectionPath(collection, 'subscriptions')), columns(io), output, io);
  return exitCode.done;
}
