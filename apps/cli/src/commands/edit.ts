import type { AnyItemView } from '#contracts';
import { CommandError, exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import { readItemPatch } from '../edit/item-patch.ts';
import type { ItemOptions } from '../edit/item-patch.ts';
import type { Io } from '../io.ts';
import { printItem } from '../service/print-item.ts';
import { collectionPath, patchHeaders, Service } from '../service/service.ts';
import type { ServiceOptions } from '../service/service.ts';

export interface EditArguments extends ServiceOptions, ItemOptions {
  readonly collection: string;
  readonly id: string;
  /** The revision that the edit was made for; any other is refused. */
  readonly ifMatch?: number;
  readonly output: 'text' | 'json';
}

/**
 * Changes what the options name of an item (FeedSync 3.2, SSE 4.2), and shows it as it then is.
 * @throws as `readItemPatch` and `Service` do; CommandError (64) without anything to change
 */
export async function edit(
  { collection, id, ifMatch, output, ...options }: EditArguments,
  io: Io,
): Promise<ExitCode> {
  const { fields, revision } = await readItemPatch(options, io);
  if (Object.keys(fields).length === 0)
    throw new CommandError('name what to change, such as --title', exitCode.usage);
  const item = await new Service(options, io).json<AnyItemView>(collectionPath(collection, 'items', id), {
    method: 'PATCH',
    headers: patchHeaders(ifMatch ?? revision),
    body: fields,
  });
  await printItem(item, output, io);
  return exitCode.done;
}
