import type { AnyItemView, DeletionView } from '#contracts';
import { exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { followDeletion } from '../service/follow-deletion.ts';
import { printItem } from '../service/print-item.ts';
import { collectionPath, ifMatchHeader, Service } from '../service/service.ts';
import type { ServiceOptions } from '../service/service.ts';

/** The status of a response to what is not done yet. */
const accepted = 202;

export interface DeleteArguments extends ServiceOptions {
  readonly collection: string;
  readonly id: string;
  /** The revision that the deletion was meant for; any other is refused. */
  readonly ifMatch?: number;
  /** What becomes of the item's data; as the collection's settings say if it is absent. */
  readonly data?: 'remove' | 'keep';
  /** What becomes of the outlines in an outline; they are deleted if it is absent. */
  readonly children?: 'delete' | 'keep';
  readonly output: 'text' | 'json';
}

/**
 * Deletes an item (FeedSync 3.2, SSE 4.2) and shows its tombstone. Waits for what the service deletes of an
 * outline after it has responded. Throws as `followDeletion` and `Service` do.
 */
export async function deleteItem(
  { collection, id, ifMatch, data, children, output, ...options }: DeleteArguments,
  io: Io,
): Promise<ExitCode> {
  const query = new URLSearchParams({
    ...(data !== undefined && { data }),
    ...(children !== undefined && { children }),
  }).toString();
  const path = collectionPath(collection, 'items', id);
  const service = new Service(options, io);
  const { status, body } = await service.reply<AnyItemView | DeletionView>(
    `${path}${query === '' ? '' : `?${query}`}`,
    { method: 'DELETE', headers: ifMatchHeader(ifMatch) },
  );
  if (status !== accepted) {
    await printItem(body as AnyItemView, output, io);
    return exitCode.done;
  }
  await followDeletion(service, body as DeletionView, io);
  const item = await service.json<AnyItemView>(path);
  await printItem(item, output, io);
  return exitCode.done;
}
