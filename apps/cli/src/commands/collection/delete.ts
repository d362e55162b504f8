import { CommandError, exitCode } from '../../command-error.ts';
import type { ExitCode } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { collectionPath, Service } from '../../service/service.ts';
import type { ServiceOptions } from '../../service/service.ts';
import { printResult } from '../../terminal/print-result.ts';

export interface DeleteArguments extends ServiceOptions {
  readonly collection: string;
  /** Whether the person has confirmed it. */
  readonly yes: boolean;
  readonly output: 'text' | 'json';
}

/**
 * Deletes a collection with all that is in it. Throws as `Service` does; CommandError (64) without a
 * confirmation.
 */
export async function deleteCollection(
  { collection, yes, output, ...options }: DeleteArguments,
  io: Io,
): Promise<ExitCode> {
  if (!yes)
    throw new CommandError(
      `this deletes all items and subscriptions of ${collection}, and can't be undone; confirm it with --yes`,
      exitCode.usage,
    );
  await new Service(options, io).send(collectionPath(collection), { method: 'DELETE' });
  await printResult({ collection, deleted: true }, `${collection} is deleted\n`, output, io);
  return exitCode.done;
}
