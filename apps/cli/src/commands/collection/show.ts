import type { CollectionView } from '#contracts';
import { exitCode } from '../../command-error.ts';
import type { ExitCode } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { collectionText } from '../../service/collection-text.ts';
import { collectionPath, Service } from '../../service/service.ts';
import type { ServiceOptions } from '../../service/service.ts';
import { printResult } from '../../terminal/print-result.ts';

interface ShowArguments extends ServiceOptions {
  readonly collection: string;
  readonly output: 'text' | 'json';
}

/** Shows a collection with its settings. Throws as `Service` does. */
export async function showCollection(
  { collection, output, ...options }: ShowArguments,
  io: Io,
): Promise<ExitCode> {
  const shown = await new Service(options, io).json<CollectionView>(collectionPath(collection));
  await printResult(shown, collectionText(shown, io), output, io);
  return exitCode.done;
}
