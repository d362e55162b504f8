import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { suiteFolders } from './areas.ts';
import type { PlacedMutant } from './draw-mutants.ts';
import { runSuites } from './run-suites.ts';

/** A spec file and how long it takes. */
export interface Suite {
  readonly path: string;
  readonly seconds: number;
}

export interface Reached {
  /** The suites that run the place of each mutant, in the order of the mutants, the narrowest first. */
  readonly suites: readonly (readonly Suite[])[];
  /** The paths of the suites that fail without a fault, and can catch none. */
  readonly failed: readonly string[];
}

interface JestReport {
  readonly testResults: readonly { readonly name: string; readonly status: string }[];
}

/** What `reached-places.mjs` writes about a spec file. */
interface ReachedRecord {
  readonly path: string;
  readonly seconds: number;
  readonly reached: readonly number[];
}

/**
 * Runs all suites once without a fault, and finds out which of them run the place of each mutant.
 * @param root the folder of the tree
 * @param folders of the suites, from `root`
 * @param options further arguments of Jest
 */
export async function reachingSuites(
  root: string,
  mutants: readonly PlacedMutant[],
  folders = suiteFolders,
  options: readonly string[] = [],
): Promise<Reached> {
  const folder = await mkdtemp(join(tmpdir(), 'feedmesh-reached-'));
  try {
    const places = join(folder, 'places.json');
    await writeFile(
      places,
      JSON.stringify(mutants.map(({ path, place }) => ({ file: join(root, path), ...place }))),
    );
    const report = join(folder, 'report.json');
    await runSuites(
      root,
      folders.map((name) => `${name}/`),
      {
        seconds: 3600,
        options: ['--json', '--outputFile', report, ...options],
        environment: { REACHED_PLACES: places },
      },
    );
    const records = (await readFile(`${places}.reached`, 'utf8')).trimEnd().split('\n');
    return reachedOf(
      root,
      mutants,
      records.map((record) => JSON.parse(record) as ReachedRecord),
      JSON.parse(await readFile(report, 'utf8')) as JestReport,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

function reachedOf(
  root: string,
  mutants: readonly PlacedMutant[],
  records: readonly ReachedRecord[],
  { testResults }: JestReport,
): Reached {
  const failed = new Set(testResults.filter(({ status }) => status === 'failed').map(({ name }) => name));
  const usable = records
    .filter(({ path }) => !failed.has(path))
    .map((record) => ({ ...record, path: relative(root, record.path) }));
  const suites = mutants.map((mutant, number) =>
    usable
      .filter(({ path, reached }) => reached.includes(number) || isBeside(path, mutant))
      .toSorted((a, b) => distance(a, mutant) - distance(b, mutant) || a.seconds - b.seconds),
  );
  return { suites, failed: [...failed].map((path) => relative(root, path)) };
}

function distance({ path }: Suite, mutant: PlacedMutant): number {
  return isBeside(path, mutant) ? 0 : 1;
}

/**
 * Whether a suite stands beside the source. It counts as running all of it: what a module runs when it is
 * loaded is recorded for the first suite of a worker alone.
 */
function isBeside(path: string, mutant: PlacedMutant): boolean {
  return path === mutant.path.replace(/\.ts$/, '.spec.ts');
}

/**
 * Parts suites into runs: the first takes about two seconds, each further one four times as long, so that
 * most faults are caught soon, and few runs of Jest are started for those that are not.
 * @param most how many seconds all of them may take; the suites beyond are left out, but for the first
 */
export function runsOf(suites: readonly Suite[], most: number): Suite[][] {
  const runs: Suite[][] = [];
  let limit = 2;
  let used = 0;
  let all = 0;
  for (const suite of suites) {
    all += suite.seconds;
    if (all > most && runs.length > 0) break;
    const last = runs.at(-1);
    if (last !== undefined && used + suite.seconds <= limit) {
      last.push(suite);
      used += suite.seconds;
      continue;
    }
    if (last !== undefined) limit *= 4;
    runs.push([suite]);
    used = suite.seconds;
  }
  return runs;
}
