import { exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import type { CollectionAnswer, ItemAnswer } from '../service/answers.ts';
import { printList } from '../service/print-list.ts';
import type { Columns } from '../service/print-list.ts';
import { collectionPath, Service } from '../service/service.ts';
import type { ServiceOptions } from '../service/service.ts';
import { shownVersion } from '../service/shown-version.ts';

export interface LsArguments extends ServiceOptions {
  readonly collection?: string;
  readonly output: 'text' | 'json';
}

const collectionColumns: Columns<CollectionAnswer> = {
  NAME: ({ name }) => name,
  TITLE: ({ title }) => title,
  PROTOCOL: ({ protocol }) => protocol,
  FORMAT: ({ format }) => format,
  ENDPOINT: ({ endpoint }) => endpoint,
};

const itemColumns: Columns<ItemAnswer> = {
  ID: ({ id }) => id,
  TITLE: (item) => shownVersion(item).title,
  UPDATES: ({ sync }) => ('updates' in sync ? sync.updates : sync.version),
  BY: ({ sync }) => sync.history[0]?.by ?? '',
  CONFLICTS: ({ conflicts }) => conflicts.length,
  DELETED: ({ deleted }) => (deleted ? 'deleted' : ''),
};

/** Lists the collections, or the items of one, tombstones among them. Throws as `Service` does. */
export async function ls({ collection, output, ...options }: LsArguments, io: Io): Promise<ExitCode> {
  const service = new Service(options, io);
  if (collection === undefined) await printList(service.list<CollectionAnswer>('/v1/collections'), collectionColumns, output, io);
  else await printList(service.list<ItemAnswer>(collectionPath(collection, 'items')), itemColumns, output, io);
  return exitCode.done;
}
