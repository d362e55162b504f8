import { isFeedTree } from '#protocols';
import { notUniqueRule } from '#items';
import { nameOf, pagesOf } from '#core';
import type { RejectedItems, Store } from '#core';
import { exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import { openDatabases } from '../databases/databases.ts';
import type { Databases, FoundLauncher } from '../databases/databases.ts';
import type { ContentReport } from '../doctor/content-finding.ts';
import { contentLines } from '../doctor/content-lines.ts';
import { examineContents } from '../doctor/examine-contents.ts';
import { repairContents } from '../doctor/repair-contents.ts';
import { stepLength } from '../doctor/tree-references.ts';
import type { Io } from '../io.ts';
import { Output } from '../terminal/output.ts';
import { Progress } from '../terminal/progress.ts';
import { count, paint, printable } from '../terminal/text.ts';

/** What is left of a write that began longer ago than this, in milliseconds, is removed by a repair. */
const incompleteAge = 24 * 60 * 60 * 1000;

interface DoctorArguments {
  readonly repair: boolean;
  readonly output: 'text' | 'json';
}

interface Diagnosis {
  readonly collections: readonly ContentReport[];
  /** The subscriptions that brought items which someone else signed as this installation does. */
  readonly signedElsewhere: readonly RejectedItems[];
  /** Of writes that were cut short, as a repair has removed them. */
  readonly incompleteBytes?: number;
}

/**
 * Says whether Redis and MongoDB respond, and whether someone else signs with our endpoint identifiers, and
 * reads every file of the trees of feeds in the store; with `repair` mends what it can of these. Prints a
 * line for each finding on stdout, with `json` everything.
 * @throws CommandError (64) if a setting is wrong
 */
export async function doctor({ repair, output: format }: DoctorArguments, io: Io): Promise<ExitCode> {
  const databases = await openDatabases(io);
  const { store, redis, mongodb } = databases;
  try {
    const diagnosis =
      store === undefined ? { collections: [], signedElsewhere: [] } : await examine(store, repair, io);
    const findings = diagnosis.collections.flatMap((report) => report.findings);
    const healthy =
      redis === undefined &&
      mongodb === undefined &&
      diagnosis.signedElsewhere.length === 0 &&
      findings.every(({ outcome }) => outcome !== undefined && outcome !== 'lost');
    await print(databases, diagnosis, healthy, format, io);
    if (redis !== undefined || mongodb !== undefined) return exitCode.noDatabase;
    return healthy ? exitCode.done : exitCode.violations;
  } finally {
    await store?.close();
  }
}

async function examine(store: Store, repair: boolean, io: Io): Promise<Diagnosis> {
  const progress = new Progress(io);
  const collections: ContentReport[] = [];
  try {
    for await (const page of pagesOf(
      (page) => store.collections.list(page),
      ({ key }) => key,
      stepLength,
    )) {
      for (const { key } of page.filter((collection) => isFeedTree(collection))) {
        const report = await examineContents(store, key, (contents) =>
          progress.show(`${nameOf(key)}: ${count(contents, 'file')}`),
        );
        collections.push(repair ? await repairContents(store, report, new Date()) : report);
      }
    }
  } finally {
    progress.clear();
  }
  const signedElsewhere = await store.deadLetters.rejected(notUniqueRule);
  return {
    collections,
    signedElsewhere,
    ...(repair && {
      incompleteBytes: await store.contents.removeIncomplete(new Date(Date.now() - incompleteAge)),
    }),
  };
}

async function print(
  { redis, mongodb, launcher }: Databases,
  { collections, signedElsewhere, incompleteBytes }: Diagnosis,
  healthy: boolean,
  format: 'text' | 'json',
  io: Io,
): Promise<void> {
  const output = new Output(io.stdout);
  if (format === 'json') {
    const answers = {
      redis: { answers: redis === undefined, reason: redis },
      mongodb: { answers: mongodb === undefined, reason: mongodb },
    };
    await output.write(
      `${JSON.stringify({ healthy, launcher, ...answers, collections, signedElsewhere, incompleteBytes })}\n`,
    );
  } else {
    if (launcher !== undefined) await output.write(`${printable(launcherText(launcher))}\n`);
    for (const [name, reason] of Object.entries({ redis, mongodb })) {
      await output.write(
        `${name}: ${
          reason === undefined
            ? 'responds'
            : paint(io, 'stdout', 'red', 'does not respond') + ': ' + printable(reason)
        }\n`,
      );
    }
    for (const rejected of signedElsewhere)
      await output.write(`${printable(signedElsewhereText(rejected))}\n`);
    for (const report of collections) for (const line of contentLines(io, report)) await output.write(line);
    if (incompleteBytes !== undefined && incompleteBytes > 0)
      await output.write(`${count(incompleteBytes, 'byte')} of writes that were cut short removed\n`);
  }
  await output.flush();
}

function signedElsewhereText({ collection, subscription, items }: RejectedItems): string {
  return (
    `${nameOf(collection)}: someone else signs with its endpoint identifier; ${count(items, 'item')} of ` +
    `${subscription} not merged (feedmesh collection endpoint ${nameOf(collection)})`
  );
}

function launcherText({ pid, url, folder, withheld }: FoundLauncher): string {
  const missing =
    withheld.length === 0 ? '' : `; it was given ${withheld.join(' and ')}, which must be set here too`;
  return (
    `feedmesh: ${url === undefined ? 'starting' : `running at ${url}`} (pid ${pid}), data in ` +
    `${folder}${missing}`
  );
}
