import type { FetchesView, FetchView } from '#contracts';
import { exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { outcomeText } from '../service/fetch-outcome.ts';
import { printList } from '../service/print-list.ts';
import type { Columns } from '../service/print-list.ts';
import { collectionPath, Service } from '../service/service.ts';
import type { ServiceOptions } from '../service/service.ts';
import { size } from '../terminal/text.ts';
import { timeText } from '../terminal/time.ts';

interface LastFetchesArguments extends ServiceOptions {
  readonly collection: string;
  readonly subscription: string;
  readonly output: 'text' | 'json';
}

const columns = (io: Io): Columns<FetchView> => ({
  STARTED: ({ startedAt }) => timeText(io, startedAt),
  TOOK: ({ durationMs }) => `${durationMs.toLocaleString('en-US')} ms`,
  STATUS: ({ status }) => status ?? '',
  SIZE: ({ bytes }) => size(bytes),
  OUTCOME: ({ outcome, items, rejected, plain }) => outcomeText({ at: '', outcome, items, rejected, plain }),
  CAUSE: ({ cause }) => cause ?? '',
  REASON: ({ reason }) => reason ?? '',
});

/** Lists the latest fetches of a subscription, the last one first. Throws as `Service` does. */
export async function lastFetches(
  { collection, subscription, output, ...options }: LastFetchesArguments,
  io: Io,
): Promise<ExitCode> {
  const path = collectionPath(collection, 'subscriptions', subscription, 'fetches');
  async function* fetches(): AsyncGenerator<FetchView> {
    yield* (await new Service(options, io).json<FetchesView>(path)).items;
  }
  await printList(fetches(), columns(io), output, io);
  return exitCode.done;
}
