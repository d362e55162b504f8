import type { SubscriptionView } from '#contracts';
import { CommandError, exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { printList } from '../service/print-list.ts';
import { ServiceProblemError } from '../service/service-error.ts';
import { collectionPath, Service } from '../service/service.ts';
import type { ServiceOptions } from '../service/service.ts';
import { Output } from '../terminal/output.ts';

interface ExportArguments extends ServiceOptions {
  readonly collection: string;
  /** Whether the list of subscribed feeds is exported, rather than the collection's content. */
  readonly subscriptions: boolean;
  readonly output: 'text' | 'json';
}

/**
 * Prints the outlines of a collection, or the list of its subscribed feeds, as OPML that feed readers import.
 * @throws as `Service` does; CommandError (3) if the collection holds no outlines
 */
export async function exportDocument(
  { collection, subscriptions, output: format, ...options }: ExportArguments,
  io: Io,
): Promise<ExitCode> {
  const service = new Service(options, io);
  const path = collectionPath(collection, subscriptions ? 'subscriptions' : 'outline');
  if (subscriptions && format === 'json') {
    await printList(service.list<SubscriptionView>(path), {}, format, io);
    return exitCode.done;
  }
  try {
    const output = new Output(io.stdout);
    for await (const text of service.text(path, format === 'json' ? 'application/json' : 'text/x-opml'))
      await output.write(text);
    if (format === 'json') await output.write('\n');
    await output.flush();
    return exitCode.done;
  } catch (error) {
    if (!(error instanceof ServiceProblemError) || error.rule !== 'not-an-outline') throw error;
    throw new CommandError(
      `${error.message}\n  --subscriptions exports the list of subscribed feeds instead`,
      error.exitCode,
      { cause: error },
    );
  }
}
