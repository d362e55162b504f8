import type { CollectionView } from '#contracts';
import { CommandError, exitCode } from '../../command-error.ts';
import type { ExitCode } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { collectionText } from '../../service/collection-text.ts';
import { findAnswer } from '../../service/find-answer.ts';
import { collectionPath, Service } from '../../service/service.ts';
import type { ServiceOptions } from '../../service/service.ts';
import { printResult } from '../../terminal/print-result.ts';

export interface CreateArguments extends ServiceOptions {
  readonly collection: string;
  readonly title?: string;
  readonly protocol?: string;
  readonly format?: string;
  readonly endpoint?: string;
  /** Settings by name. */
  readonly set?: Readonly<Record<string, unknown>>;
  readonly output: 'text' | 'json';
}

/**
 * Creates a collection and shows it. Throws as `Service` does; CommandError (3) if there is one of this name.
 */
export async function createCollection(
  { collection, title, protocol, format, endpoint, set: settings, output, ...options }: CreateArguments,
  io: Io,
): Promise<ExitCode> {
  const service = new Service(options, io);
  if ((await findAnswer(service, collectionPath(collection))) !== undefined)
    throw new CommandError(
      `there is already a collection ${collection}; feedmesh collection set changes it`,
      exitCode.refused,
    );
  const created = await service.json<CollectionView>(collectionPath(collection), {
    method: 'PUT',
    body: { title, protocol, format, endpoint, settings },
  });
  await printResult(created, collectionText(created, io), output, io);
  return exitCode.done;
}
