import type { SubscriptionCountsView, SubscriptionView } from '#contracts';
import { exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { printList } from '../service/print-list.ts';
import type { Columns } from '../service/print-list.ts';
import { Service } from '../service/service.ts';
import type { ServiceOptions } from '../service/service.ts';
import { subscriptionsPath } from '../service/subscription-filter.ts';
import type { SubscriptionFilter } from '../service/subscription-filter.ts';
import { printResult } from '../terminal/print-result.ts';
import { count, printable } from '../terminal/text.ts';
import { timeText } from '../terminal/time.ts';

interface FeedsArguments extends ServiceOptions, SubscriptionFilter {
  /** Whether to print only how many there are. */
  readonly count: boolean;
  readonly output: 'text' | 'json';
}

const columns = (io: Io, collection: string | undefined): Columns<SubscriptionView> => ({
  NAME: ({ collection: of, id }) => (collection === undefined ? `${of}/${id}` : id),
  STATE: ({ state }) => state,
  CAUSE: ({ last }) => last?.cause ?? '',
  SUCCESS: ({ succeededAt }) => (succeededAt === undefined ? 'never' : timeText(io, succeededAt)),
  NEXT: ({ status, nextFetchAt }) => (status === 'active' ? timeText(io, nextFetchAt) : ''),
  WHY: ({ status, nextFetchReason }) => (status === 'active' ? nextFetchReason : ''),
  URL: ({ url }) => url,
  HUB: ({ hub }) => hubText(io, hub),
});

/** Until when the hub that a feed names announces changes, or why it does not; nothing without a hub. */
function hubText(io: Io, hub: SubscriptionView['hub']): string {
  if (hub === undefined) return '';
  if (hub.leasedUntil !== undefined) return `until ${timeText(io, hub.leasedUntil)}`;
  return hub.reason ?? 'not requested yet';
}

/**
 * Lists the subscriptions of a filter: how they are, when they succeeded last, when and why they are
 * fetched next, and what their hubs do; with `count` how many there are by state and cause. Throws as
 * `Service` does.
 */
export async function feeds(
  { collection, state, cause, count: isCount, output, ...options }: FeedsArguments,
  io: Io,
): Promise<ExitCode> {
  const service = new Service(options, io);
  const of = collection === undefined ? {} : { collection };
  if (isCount) {
    const counts = await service.json<SubscriptionCountsView>(subscriptionsPath(of, '/counts'));
    await printResult(counts, countsText(counts), output, io);
    return exitCode.done;
  }
  const filter = { ...of, ...(state !== undefined && { state }), ...(cause !== undefined && { cause }) };
  const found = service.list<SubscriptionView>(subscriptionsPath(filter));
  await printList(found, columns(io, collection), output, io);
  return exitCode.done;
}

/** A line for each state and, below `failing`, for each cause, the most frequent one first. */
function countsText({ total, states, causes }: SubscriptionCountsView): string {
  const line = (number: number, name: string, indent = ''): string =>
    `${number.toLocaleString('en-US').padStart(9)}  ${indent}${printable(name)}\n`;
  const byCause = Object.entries(causes).toSorted(
    ([one, few], [other, many]) => many - few || one.localeCompare(other),
  );
  return [
    `${count(total, 'subscription')}\n`,
    ...Object.entries(states).flatMap(([state, number]) => [
      line(number, state),
      ...(state === 'failing' ? byCause.map(([cause, failing]) => line(failing, cause, '  ')) : []),
    ]),
  ].join('');
}
