import type { ImportedOutlineView, SubscribedListView } from '#contracts';
import { CommandError, exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { readInput } from '../read-input.ts';
import { followedWork } from '../service/followed-work.ts';
import { ServiceProblemError } from '../service/service-error.ts';
import { collectionPath, Service } from '../service/service.ts';
import type { ServiceOptions, ServiceRequest } from '../service/service.ts';
import { printResult } from '../terminal/print-result.ts';
import { barOf } from '../terminal/progress-bar.ts';
import { Progress } from '../terminal/progress.ts';
import { count, printable } from '../terminal/text.ts';

export interface ImportArguments extends ServiceOptions {
  readonly collection: string;
  /** An OPML document: a path, or `-` for stdin. */
  readonly file: string;
  /** Whether it is a list of feeds to subscribe to, rather than the collection's content. */
  readonly subscriptions: boolean;
  /** Whether outlines that are not in the document are deleted. */
  readonly replace: boolean;
  /** The id of the outline that the new ones are added to. */
  readonly parent?: string;
  readonly output: 'text' | 'json';
}

/**
 * Imports an OPML document: as outlines of the collection, or as a list of feeds to subscribe to. Returns
 * `violations` if feeds of a list were refused.
 * @throws as `readInput` and `Service` do; CommandError (64) if the options do not fit together, (3) if the
 * collection holds no outlines
 */
export async function importDocument(
  { collection, file, subscriptions, replace, parent, output, ...options }: ImportArguments,
  io: Io,
): Promise<ExitCode> {
  if (subscriptions && (replace || parent !== undefined))
    throw new CommandError(
      '--replace and --parent are for outlines, not for --subscriptions',
      exitCode.usage,
    );
  if (replace && parent !== undefined)
    throw new CommandError('--replace concerns the whole collection: it takes no --parent', exitCode.usage);
  const service = new Service(options, io);
  const document = { body: await readInput(file, io), type: 'text/x-opml' };
  return subscriptions
    ? subscribeToAll(service, collection, document, output, io)
    : importOutlines(
        service,
        collection,
        { ...document, method: replace ? 'PUT' : 'POST' },
        parent,
        output,
        io,
      );
}

async function importOutlines(
  service: Service,
  collection: string,
  request: ServiceRequest,
  parent: string | undefined,
  format: 'text' | 'json',
  io: Io,
): Promise<ExitCode> {
  const query = parent === undefined ? '' : `?${new URLSearchParams({ parent }).toString()}`;
  try {
    const counts = await service.json<ImportedOutlineView>(
      `${collectionPath(collection, 'outline')}${query}`,
      request,
    );
    const words = (['created', 'updated', 'moved', 'deleted', 'unchanged'] as const).map(
      (name) => `${counts[name].toLocaleString('en-US')} ${name}`,
    );
    await printResult(counts, `${collection}: ${words.join(', ')}\n`, format, io);
    return exitCode.done;
  } catch (error) {
    if (!(error instanceof ServiceProblemError) || error.rule !== 'not-an-outline') throw error;
    throw new CommandError(
      `${error.message}\n  --subscriptions subscribes to the feeds of the document instead`,
      error.exitCode,
      { cause: error },
    );
  }
}

async function subscribeToAll(
  service: Service,
  collection: string,
  document: ServiceRequest & { readonly body: Uint8Array },
  format: 'text' | 'json',
  io: Io,
): Promise<ExitCode> {
  const progress = new Progress(io);
  const path = collectionPath(collection, 'subscriptions');
  const list = await followedWork<SubscribedListView>(service, path, document, (step) =>
    progress.show(`${barOf(step)} ${step.done.toLocaleString('en-US')}/${count(step.total, 'feed')}`),
  ).finally(() => progress.clear());
  const { created, existing, refused } = list;
  const [subscribed, already, others] = [created, existing, refused.length].map((number) =>
    number.toLocaleString('en-US'),
  );
  if (created + existing + refused.length === 0)
    throw new CommandError('the document names no feed: no outline has an xmlUrl', exitCode.violations);
  if (format === 'text')
    for (const { xmlUrl, message } of refused) io.stderr.write(`${printable(`${xmlUrl}: ${message}`)}\n`);
  await printResult(
    list,
    `${collection}: ${subscribed} subscribed, ${already} already subscribed, ${others} refused\n`,
    format,
    io,
  );
  return refused.length > 0 ? exitCode.violations : exitCode.done;
}
