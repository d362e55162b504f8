import { isFeedTree } from '#protocols';
import { notUniqueRule } from '#items';
import { nameOf, pagesOf } from '#core';
import type { RejectedItems } from '#core';
import type { OpenStore } from '#store';
import { exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import { openDatabases } from '../databases/databases.ts';
import type { Databases, FoundLauncher } from '../databases/databases.ts';
import type { ContentReport } from '../doctor/content-finding.ts';
import { contentLines } from '../doctor/content-lines.ts';
import { examineContents } from '../doctor/examine-contents.ts';
import { examineSchema } from '../doctor/examine-schema.ts';
import type { ExaminedSchema } from '../doctor/examine-schema.ts';
import { audited } from '../databases/audited.ts';
import { repairContents } from '../doctor/repair-contents.ts';
import { schemaLines } from '../doctor/schema-lines.ts';
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
  readonly schema: ExaminedSchema;
  readonly collections: readonly ContentReport[];
  /** The subscriptions that brought items which someone else signed as this installation does. */
  readonly signedElsewhere: readonly RejectedItems[];
  /** Of writes that were cut short, as a repair has removed them. */
  readonly incompleteBytes?: number;
}

const nothingExamined: Diagnosis = {
  schema: { findings: [], unknown: [] },
  collections: [],
  signedElsewhere: [],
};

/**
 * Says whether Redis and MongoDB respond, whether MongoDB has the indexes and shard keys that it should, and
 * whether someone else signs with our endpoint identifiers, and reads every file of the trees of feeds in
 * the store; with `repair` mends what it can of these. Prints a line for each finding on stdout, with `json`
 * everything.
 * @throws CommandError (64) if a setting is wrong
 */
export async function doctor({ repair, output: format }: DoctorArguments, io: Io): Promise<ExitCode> {
  const databases = await openDatabases(io);
  const { store, redis, mongodb } = databases;
  try {
    const diagnosis = store === undefined ? nothingExamined : await examineOrRepair(store, repair, io);
    const findings = diagnosis.collections.flatMap((report) => report.findings);
    const healthy =
      redis === undefined &&
      mongodb === undefined &&
      diagnosis.signedElsewhere.length === 0 &&
      diagnosis.schema.findings.every(({ repaired }) => repaired) &&
      findings.every(({ outcome }) => outcome !== undefined && outcome !== 'lost');
    await print(databases, diagnosis, healthy, format, io);
    if (redis !== undefined || mongodb !== undefined) return exitCode.noDatabase;
    return healthy ? exitCode.done : exitCode.violations;
  } finally {
    await store?.close();
  }
}

function examineOrRepair(store: OpenStore, repair: boolean, io: Io): Promise<Diagnosis> {
  return repair
    ? audited(store, io, 'doctor --repair', () => examine(store, true, io))
    : examine(store, false, io);
}

async function examine(store: OpenStore, repair: boolean, io: Io): Promise<Diagnosis> {
  const schema = await examineSchema(store, repair);
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
    schema,
    collections,
    signedElsewhere,
    ...(repair && {
      incompleteBytes: await store.contents.removeIncomplete(new Date(Date.now() - incompleteAge)),
    }),
  };
}

async function print(
  { redis, mongodb, launcher }: Databases,
  { schema, collections, signedElsewhere, incompleteBytes }: Diagnosis,
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
    const rest = { schema, collections, signedElsewhere, incompleteBytes };
    await output.write(`${JSON.stringify({ healthy, launcher, ...answers, ...rest })}\n`);
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
    for (const line of schemaLines(io, schema)) await output.write(line);
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
