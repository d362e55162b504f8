import type { CollectionView } from '#contracts';
import { CommandError, exitCode } from '../../command-error.ts';
import type { ExitCode } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { collectionText } from '../../service/collection-text.ts';
import { collectionPath, patchHeaders, Service } from '../../service/service.ts';
import type { ServiceOptions } from '../../service/service.ts';
import { printResult } from '../../terminal/print-result.ts';

export interface SetArguments extends ServiceOptions {
  readonly collection: string;
  readonly title?: string;
  /** Settings by name. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** The names of settings to take away. */
  readonly unset?: readonly string[];
  readonly output: 'text' | 'json';
}

/**
 * Changes a collection's title and settings and shows it. Throws as `Service` does; CommandError (64) without
 * anything to change.
 */
export async function setCollection(
  { collection, title, set = {}, unset = [], output, ...options }: SetArguments,
  io: Io,
): Promise<ExitCode> {
  const settings = { ...set, ...Object.fromEntries(unset.map((name) => [name, null])) };
  const hasSettings = Object.keys(settings).length > 0;
  if (title === undefined && !hasSettings)
    throw new CommandError('name what to change: --title, --set or --unset', exitCode.usage);
  const changed = await new Service(options, io).json<CollectionView>(collectionPath(collection), {
    method: 'PATCH',
    headers: patchHeaders(),
    body: { title, ...(hasSettings && { settings }) },
  });
  await printResult(changed, collectionText(changed, io), output, io);
  return exitCode.done;
}
