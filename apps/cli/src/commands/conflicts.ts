import type { VersionedItemView } from '#contracts';
import { exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { itemColumns } from '../service/item-columns.ts';
import { printList } from '../service/print-list.ts';
import { collectionPath, Service } from '../service/service.ts';
import type { ServiceOptions } from '../service/service.ts';

type ItemOfAny = VersionedItemView & { readonly collection: string };

interface ConflictsArguments extends ServiceOptions {
  /** All that the key permits to read if absent. */
  readonly collection?: string;
  readonly output: 'text' | 'json';
}

/** Lists the items in conflict, of one collection or of all. Throws as `Service` does. */
export async function conflicts(
  { collection, output, ...options }: ConflictsArguments,
  io: Io,
): Promise<ExitCode> {
  const service = new Service(options, io);
  if (collection === undefined) {
    const columns = { COLLECTION: (item: ItemOfAny) => item.collection, ...itemColumns };
    await printList(service.list<ItemOfAny>('/v1/conflicts'), columns, output, io);
  } else {
    const path = collectionPath(collection, 'conflicts');
    await printList(service.list<VersionedItemView>(path), itemColumns, output, io);
  }
  return exitCode.done;
}
