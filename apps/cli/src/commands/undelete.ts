import { exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import { readItemPatch } from '../edit/item-patch.ts';
import { patchItem } from '../edit/patch-item.ts';
import type { AnyItem } from '../edit/patch-item.ts';
import type { Io } from '../io.ts';
import { printItem } from '../service/print-item.ts';
import { collectionPath, ifMatchHeader, Service } from '../service/service.ts';
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
  const service = new Service(options, io);
  const path = collectionPath(collection, 'items', id);
  const expected = ifMatch ?? revision;
  const item =
    Object.keys(fields).length === 0
      ? await service.json<AnyItem>(`${path}/undelete`, { method: 'POST', headers: ifMatchHeader(expected) })
      : await patchItem(service, path, fields, expected, { method: 'POST', action: '/undelete' });
  await printItem(item, output, io);
  return exitCode.done;
}
