import type { SubscriptionView } from '#contracts';
import { exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { outcomeText } from '../service/fetch-outcome.ts';
import { printList } from '../service/print-list.ts';
import type { Columns } from '../service/print-list.ts';
import { collectionPath, Service } from '../service/service.ts';
import type { ServiceOptions } from '../service/service.ts';
import { count } from '../terminal/text.ts';
import { timeText } from '../terminal/time.ts';

interface SubscriptionsArguments extends ServiceOptions {
  readonly collection: string;
  readonly output: 'text' | 'json';
}

const columns = (io: Io): Columns<SubscriptionView> => ({
  NAME: ({ id }) => id,
  STATUS: ({ status }) => status,
  LAST: ({ last, signedElsewhere }) =>
    lastText(last) +
    (signedElsewhere === undefined
      ? ''
      : `; ${count(signedElsewhere, 'item')} refused: someone else signs with our endpoint identifier`),
  FAILURES: ({ failures }) => failures,
  NEXT: ({ nextFetchAt }) => timeText(io, nextFetchAt),
  URL: ({ url }) => url,
});

function lastText(last: SubscriptionView['last']): string {
  if (last === undefined) return 'not yet fetched';
  return last.reason === undefined ? outcomeText(last) : `${last.outcome}: ${last.reason}`;
}

/** Lists the subscriptions of a collection. Throws as `Service` does. */
export async function subscriptions(
  { collection, output, ...options }: SubscriptionsArguments,
  io: Io,
): Promise<ExitCode> {
  await printList(
    new Service(options, io).list<SubscriptionView>(collectionPath(collection, 'subscriptions')),
    columns(io),
    output,
    io,
  );
  return exitCode.done;
}
