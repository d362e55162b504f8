import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { areas } from './areas.ts';
import { copyTree } from './copy-tree.ts';
import { drawMutants } from './draw-mutants.ts';
import type { PlacedMutant } from './draw-mutants.ts';
import { plant } from './find-mutants.ts';
import { findingSeed, plantedFaults } from './planted-faults.ts';
import { reachingSuites, runsOf } from './reaching-suites.ts';
import type { Suite } from './reaching-suites.ts';
import { runSuites } from './run-suites.ts';
import type { Outcome } from './run-suites.ts';

/**
 * `npm run mutants [-- PATH]`: plants faults in a copy of the tree, one after the other. First those of
 * `plantedFaults`: prints the seed at which the simulation finds each. Then faults of one line: runs the
 * suites that run the line of each, the narrowest first, and prints the share caught and the survivors.
 * `PATH` leaves out the files whose paths do not start with it. Exit code 1 if the simulation does not find a
 * fault, or if fewer are caught than `MUTANTS_PERCENT`.
 */
const [prefix = ''] = process.argv.slice(2);
const setting = (name: string, fallback: number): number => {
  const value = Number(process.env[name] || fallback);
  if (!Number.isInteger(value) || value < 0)
    throw new Error(`${name} must be a whole number; got ${process.env[name]}`);
  return value;
};
const count = setting('MUTANTS', 200);
const seed = setting('MUTANTS_SEED', 1);
const seconds = setting('MUTANTS_SECONDS', 120);
const percent = setting('MUTANTS_PERCENT', 95);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const { root, paths } = copyTree(process.cwd());
process.once('exit', () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
for (const fault of plantedFaults.filter(({ path }) => path.startsWith(prefix))) {
  const found = await findingSeed(root, fault);
  say(`planted: ${fault.name}: ${found === undefined ? 'NOT FOUND' : `found at seed ${found}`}`);
  if (found === undefined) process.exitCode = 1;
}
const mutants = drawMutants(
  root,
  paths.filter((path) => path.startsWith(prefix)),
  { count, seed },
);
const { suites, failed } = await reachingSuites(root, mutants);
if (failed.length > 0) process.exitCode = 1;
for (const path of failed) say(`${path} fails without any fault, and can catch none`);
report(mutants, await runAll());

async function runAll(): Promise<PlacedMutant[]> {
  const survivors: PlacedMutant[] = [];
  for (const [index, mutant] of mutants.entries()) {
    const reaching = suites[index] ?? [];
    const runs = runsOf(reaching, seconds);
    const catcher = await catcherOf(mutant, runs);
    if (catcher === undefined) survivors.push(mutant);
    const end = catcher ?? `SURVIVED ${runs.flat().length} of ${reaching.length} suites`;
    say(`${index + 1}/${mutants.length} ${nameOf(mutant)}: ${end}`);
  }
  return survivors;
}

/** The run that fails with the fault, or takes many times as long as without; undefined if there is none. */
async function catcherOf(mutant: PlacedMutant, runs: readonly Suite[][]): Promise<string | undefined> {
  for (const run of runs) {
    const outcome = await runWith(mutant, run);
    if (outcome !== 'passed') return `${outcome}, ${described(run)}`;
  }
  return undefined;
}

function described([first, ...others]: readonly Suite[]): string {
  return others.length === 0 ? `${first?.path}` : `${first?.path} or one of ${others.length} more`;
}

async function runWith(mutant: PlacedMutant, run: readonly Suite[]): Promise<Outcome> {
  const file = join(root, mutant.path);
  const text = readFileSync(file, 'utf8');
  const paths = run.map(({ path }) => path);
  const duration = run.reduce((sum, { seconds }) => sum + seconds, 0);
  writeFileSync(file, plant(text, mutant));
  try {
    return await runSuites(root, paths, {
      seconds: 30 + 5 * duration,
      options: ['--bail', ...(duration < 20 ? ['--runInBand'] : [])],
    });
  } finally {
    writeFileSync(file, text);
  }
}

function nameOf({ path, line, change }: PlacedMutant): string {
  return `${path}:${line} ${change.replace(/\s+/g, ' ')}`;
}

function report(mutants: readonly PlacedMutant[], survivors: readonly PlacedMutant[]): void {
  for (const { name } of areas) {
    const planted = mutants.filter(({ area }) => area === name).length;
    const left = survivors.filter(({ area }) => area === name).length;
    say(`${name.padEnd(10)}${String(planted - left).padStart(5)} of ${planted} caught`);
  }
  for (const survivor of survivors) say(`survived: ${nameOf(survivor)}`);
  const caught = mutants.length - survivors.length;
  const share = mutants.length === 0 ? 100 : (100 * caught) / mutants.length;
  say(`${caught} of ${mutants.length} caught: ${share.toFixed(1)} %, seed ${seed}`);
  if (share < percent) process.exitCode = 1;
}
