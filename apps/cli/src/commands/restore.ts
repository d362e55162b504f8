import { isFeedTree } from '#protocols';
import { systemRandom } from '#service';
import { nameOf, pagesOf } from '#core';
import type { Collection, Store } from '#core';
import { CommandError, exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import { audited } from '../databases/audited.ts';
import { openMongodb } from '../databases/databases.ts';
import type { Io } from '../io.ts';
import { Output } from '../terminal/output.ts';
import { printable } from '../terminal/text.ts';

/** How many collections are read at once. */
const pageCollections = 100;

/** How many sequences are left out: more than a collection can have published since its backup was made. */
const sequencesAhead = 1_000_000_000;

interface RestoreArguments {
  readonly output: 'text' | 'json';
}

/** A collection as it goes on after a restore. */
interface RestoredCollection {
  readonly collection: string;
  readonly endpoint: string;
  readonly former: string;
  /** Every change is published with a higher sequence from now on. */
  readonly sequence: number;
}

/**
 * Makes a database that comes from a backup fit to be used: every collection gets another endpoint identifier
 * (FeedSync 2.1.1), its next sequences are ones that were never given, and everything in it is published once
 * more. May be repeated, if it was cut short.
 * @throws CommandError (64) if a setting is wrong, (69) if MongoDB does not respond
 */
export async function restore({ output: format }: RestoreArguments, io: Io): Promise<ExitCode> {
  const store = await openMongodb(io);
  const output = new Output(io.stdout);
  const restored: RestoredCollection[] = [];
  try {
    await audited(store, io, 'restore', async () => {
      for await (const done of restoreAll(store)) {
        if (format === 'json') restored.push(done);
        else await output.write(`${printable(lineOf(done))}\n`);
      }
    });
    if (format === 'json') await output.write(`${JSON.stringify({ collections: restored })}\n`);
  } finally {
    await store.close();
  }
  await output.flush();
  return exitCode.done;
}

async function* restoreAll(store: Store): AsyncGenerator<RestoredCollection> {
  const part = systemRandom.identifier().slice(0, 20);
  await store.installation.renew(part);
  const pages = pagesOf(
    (page) => store.collections.list(page),
    ({ key }) => key,
    pageCollections,
  );
  for await (const page of pages)
    for (const collection of page) yield await restoreCollection(store, collection, part);
}

async function restoreCollection(
  store: Store,
  collection: Collection,
  part: string,
): Promise<RestoredCollection> {
  const { key, endpoint: former, retiredEndpoints = [] } = collection;
  const endpoint = `${retiredEndpoints[0] ?? former}:${part}`;
  const sequence = await store.collections.restart(key, former, endpoint, sequencesAhead);
  if (sequence === undefined)
    throw new CommandError(
      `${nameOf(key)}: someone changed it meanwhile; stop the services, and run this command again`,
      exitCode.changed,
    );
  await store.items.publishAgain(key);
  if (isFeedTree(collection)) await store.feeds.publishAgain(key);
  return { collection: nameOf(key), endpoint, former, sequence };
}

function lineOf({ collection, endpoint, sequence }: RestoredCollection): string {
  return `${collection}: signs as ${endpoint}, publishes everything once more after sequence ${sequence}`;
}
