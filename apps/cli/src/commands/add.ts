import type { AnyItemView } from '#contracts';
import { CommandError, exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import { readItemPatch } from '../edit/item-patch.ts';
import type { ItemOptions } from '../edit/item-patch.ts';
import type { Io } from '../io.ts';
import { printItem } from '../service/print-item.ts';
import { collectionPath, Service } from '../service/service.ts';
import type { ServiceOptions } from '../service/service.ts';

export interface AddArguments extends ServiceOptions, ItemOptions {
  readonly collection: string;
  /** The service makes one if it is absent. */
  readonly id?: string;
  readonly output: 'text' | 'json';
}

/**
 * Creates an item (FeedSync 3.1, SSE 4.1) and shows it.
 * @throws as `readItemPatch` and `Service` do; CommandError (64) without anything to put into it
 */
export async function add({ collection, id, output, ...options }: AddArguments, io: Io): Promise<ExitCode> {
  const { fields } = await readItemPatch(options, io);
  const given = Object.entries({ ...fields, ...(id !== undefined && { id }) });
  const body = Object.fromEntries(given.filter(([, value]) => value !== null));
  if (Object.keys(body).every((name) => name === 'id'))
    throw new CommandError('name what to put into the item, such as --title', exitCode.usage);
  const service = new Service(options, io);
  await printItem(
    await service.json<AnyItemView>(collectionPath(collection, 'items'), { method: 'POST', body }),
    output,
    io,
  );
  return exitCode.done;
}
