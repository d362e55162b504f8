import type { CollectionView, TreeItemView, TreeLinkView, VersionedItemView } from '#contracts';
import { exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { stateWords } from '../service/link-text.ts';
import { printList } from '../service/print-list.ts';
import type { Columns } from '../service/print-list.ts';
import { collectionPath, Service } from '../service/service.ts';
import type { ServiceOptions } from '../service/service.ts';
import { shownVersion } from '../service/shown-version.ts';
import { timeText } from '../terminal/time.ts';

interface LsArguments extends ServiceOptions {
  readonly collection?: string;
  readonly output: 'text' | 'json';
}

const collectionColumns: Columns<CollectionView> = {
  NAME: ({ name }) => name,
  TITLE: ({ title }) => title,
  PROTOCOL: ({ protocol }) => protocol,
  FORMAT: ({ format }) => format,
  ENDPOINT: ({ endpoint }) => endpoint,
};

const itemColumns: Columns<VersionedItemView> = {
  ID: ({ id }) => id,
  TITLE: (item) => shownVersion(item).title,
  UPDATES: ({ sync }) => ('updates' in sync ? sync.updates : sync.version),
  BY: ({ sync }) => sync.history[0]?.by ?? '',
  CONFLICTS: ({ conflicts }) => conflicts.length,
  DELETED: ({ deleted }) => (deleted ? 'deleted' : ''),
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

/** Lists the collections, or the items of one, tombstones among them. Throws as `Service` does. */
export async function ls({ collection, output, ...options }: LsArguments, io: Io): Promise<ExitCode> {
  const service = new Service(options, io);
  if (collection === undefined) {
    await printList(service.list<CollectionView>('/v1/collections'), collectionColumns, output, io);
    return exitCode.done;
  }
  const { links } = await service.json<CollectionView>(collectionPath(collection));
  const path = collectionPath(collection, 'items');
  if (links.tree !== undefined)
    await printList(service.list<TreeItemView>(path), treeItemColumns(io), output, io);
  else await printList(service.list<VersionedItemView>(path), itemColumns, output, io);
  return exitCode.done;
}

/** How many links there are in each state: `3 cached, 1 on demand`. */
function linkSummary(links: readonly TreeLinkView[]): string {
  const counts = new Map<string, number>();
  for (const { state } of links) counts.set(stateWords(state), (counts.get(stateWords(state)) ?? 0) + 1);
  return [...counts].map(([words, number]) => `${number} ${words}`).join(', ');
}
