import type { AnyItemView } from '#contracts';
import { exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { printItem } from '../service/print-item.ts';
import { collectionPath, Service } from '../service/service.ts';
import type { ServiceOptions } from '../service/service.ts';

interface ItemArguments extends ServiceOptions {
  readonly collection: string;
  readonly id: string;
  readonly output: 'text' | 'json';
}

/** Shows one item with its history and conflicts, or, of a tree, with its links. Throws as `Service` does. */
export async function item({ collection, id, output, ...options }: ItemArguments, io: Io): Promise<ExitCode> {
  await printItem(
    await new Service(options, io).json<AnyItemView>(collectionPath(collection, 'items', id)),
    output,
    io,
  );
  return exitCode.done;
}
