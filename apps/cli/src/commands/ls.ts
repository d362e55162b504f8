import type { CollectionView, TreeItemView, TreeLinkView, VersionedItemView } from '#contracts';
import { CommandError, exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { subscriptionsText } from '../service/counts-text.ts';
import { itemColumns } from '../service/item-columns.ts';
import { stateWords } from '../service/link-text.ts';
import { printList } from '../service/print-list.ts';
import type { Columns } from '../service/print-list.ts';
import { collectionPath, Service } from '../service/service.ts';
import type { ServiceOptions } from '../service/service.ts';
import { timeText } from '../terminal/time.ts';

/** Which items are listed, and in what order, as the service takes it. */
interface ItemSelection {
  readonly state?: string;
  readonly sort?: string;
  readonly search?: string;
}

export interface LsArguments extends ServiceOptions, ItemSelection {
  readonly collection?: string | undefined;
  readonly output: 'text' | 'json';
}

const collectionColumns: Columns<CollectionView> = {
  NAME: ({ name }) => name,
  TITLE: ({ title }) => title,
  PROTOCOL: ({ protocol }) => protocol,
  FORMAT: ({ format }) => format,
  ENDPOINT: ({ endpoint }) => endpoint,
  ITEMS: ({ counts }) => counts?.items ?? '',
  CONFLICTS: ({ counts }) => counts?.conflicts ?? '',
  SUBSCRIPTIONS: ({ counts }) => (counts === undefined ? '' : subscriptionsText(counts)),
};

const treeItemColumns = (io: Io): Columns<TreeItemView> => ({
  ID: ({ id }) => id,
  TITLE: ({ title = '' }) => title,
  VERSION: ({ version }) => version,
  DATE: ({ lastBuildDate = '' }) => timeText(io, lastBuildDate),
  LINKS: ({ links }) => linkSummary(links),
  HIDDEN: ({ hidden }) => (hidden ? 'hidden' : ''),
  DELETED: ({ deleted }) => (deleted ? 'deleted' : ''),
});

/**
 * Lists the collections, or the items of one, tombstones among them.
 * @throws CommandError (64) for a selection of items without a collection; and as `Service` does
 */
export async function ls(
  { collection, output, state, sort, search, ...options }: LsArguments,
  io: Io,
): Promise<ExitCode> {
  const service = new Service(options, io);
  const query = queryOf({ state, sort, q: search });
  if (collection === undefined) {
    if (query !== '')
      throw new CommandError('--state, --sort and --search need a collection', exitCode.usage);
    await printList(service.list<CollectionView>('/v1/collections'), collectionColumns, output, io);
    return exitCode.done;
  }
  const { links } = await service.json<CollectionView>(collectionPath(collection));
  const path = collectionPath(collection, 'items') + query;
  if (links.tree !== undefined)
    await printList(service.list<TreeItemView>(path), treeItemColumns(io), output, io);
  else await printList(service.list<VersionedItemView>(path), itemColumns, output, io);
  return exitCode.done;
}

function queryOf(parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

/** How many links there are in each state: `3 cached, 1 on demand`. */
function linkSummary(links: readonly TreeLinkView[]): string {
  const counts = new Map<string, number>();
  for (const { state } of links) counts.set(stateWords(state), (counts.get(stateWords(state)) ?? 0) + 1);
  return [...counts].map(([words, number]) => `${number} ${words}`).join(', ');
}
