import type { AnyItemView } from '#contracts';
import { exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { printItem } from '../service/print-item.ts';
import { collectionPath, ifMatchHeader, Service } from '../service/service.ts';
import type { ServiceOptions } from '../service/service.ts';

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

/** Deletes an item (FeedSync 3.2, SSE 4.2) and shows its tombstone. Throws as `Service` does. */
export async function deleteItem(
  { collection, id, ifMatch, data, children, output, ...options }: DeleteArguments,
  io: Io,
): Promise<ExitCode> {
  const query = new URLSearchParams({
    ...(data !== undefined && { data }),
    ...(children !== undefined && { children }),
  }).toString();
  const path = `${collectionPath(collection, 'items', id)}${query === '' ? '' : `?${query}`}`;
  const item = await new Service(options, io).json<AnyItemView>(path, {
    method: 'DELETE',
    headers: ifMatchHeader(ifMatch),
  });
  await printItem(item, output, io);
  return exitCode.done;
}
