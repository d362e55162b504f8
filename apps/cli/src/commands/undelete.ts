import type { AnyItemView } from '#contracts';
import { exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import { readItemPatch } from '../edit/item-patch.ts';
import type { Io } from '../io.ts';
import { printItem } from '../service/print-item.ts';
import { collectionPath, patchHeaders, Service } from '../service/service.ts';
import type { EditArguments } from './edit.ts';

/**
 * Brings a deleted item back, with its last content changed by what the options name, and shows it. Throws as
 * `edit` does.
 */
export async function undelete(
  { collection, id, ifMatch, output, ...options }: EditArguments,
  io: Io,
): Promise<ExitCode> {
  const { fields, revision } = await readItemPatch(options, io);
  const item = await new Service(options, io).json<AnyItemView>(
    collectionPath(collection, 'items', id, 'undelete'),
    {
      method: 'POST',
      headers: patchHeaders(ifMatch ?? revision),
      body: fields,
    },
  );
  await printItem(item, output, io);
  return exitCode.done;
}
