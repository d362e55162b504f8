import type { VersionedItemView } from '#contracts';
import { exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { printItem } from '../service/print-item.ts';
import { collectionPath, ifMatchHeader, Service } from '../service/service.ts';
import type { ServiceOptions } from '../service/service.ts';

interface ResolveArguments extends ServiceOptions {
  readonly collection: string;
  readonly id: string;
  /** The winner, or the number of a conflict as `item` shows it, from 0. */
  readonly keep: 'winner' | number;
  /**
   * The revision that the choice was made for; any other is refused, since conflicts may have other numbers
   * there.
   */
  readonly ifMatch?: number;
  readonly output: 'text' | 'json';
}

/**
 * Resolves all conflicts of an item (FeedSync 3.4, SSE 5) and shows the item as it then is. Throws as
 * `Service` does.
 */
export async function resolve(
  { collection, id, keep, ifMatch, output, ...options }: ResolveArguments,
  io: Io,
): Promise<ExitCode> {
  const body = { keep: keep === 'winner' ? keep : { conflict: keep } };
  const headers = ifMatchHeader(ifMatch);
  const item = await new Service(options, io).json<VersionedItemView>(
    collectionPath(collection, 'items', id, 'resolve'),
    { method: 'POST', body, headers },
  );
  await printItem(item, output, io);
  return exitCode.done;
}
