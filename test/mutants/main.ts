import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { areas, suitesFor } from './areas.ts';
import { copyTree } from './copy-tree.ts';
import { drawMutants } from './draw-mutants.ts';
import type { PlacedMutant } from './draw-mutants.ts';
import { plant } from './find-mutants.ts';
import { runSuites } from './run-suites.ts';
import type { Outcome } from './run-suites.ts';

/**
 * `npm run mutants [-- PATH]`: plants faults of one line in a copy of the tree, one after the other, runs the
 * suites that should catch each, the narrowest first, and prints the share caught and the survivors. `PATH`
 * leaves out the files whose paths do not start with it. Exit code 1 if fewer are caught than
 * `MUTANTS_PERCENT`.
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
const percent = setting('MUTANTS_PERCENT', 95);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** How many seconds suites take without a fault; `Infinity` if they do not pass then. */
const durations = new Map<string, number>();
const { root, paths } = copyTree(process.cwd());
process.once('exit', () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const mutants = drawMutants(
  root,
  paths.filter((path) => path.startsWith(prefix)),
  { count, seed },
);
report(mutants, await runAll(mutants));

async function runAll(mutants: readonly PlacedMutant[]): Promise<PlacedMutant[]> {
  const survivors: PlacedMutant[] = [];
  for (const [index, mutant] of mutants.entries()) {
    const catcher = await catcherOf(mutant);
    if (catcher === undefined) survivors.push(mutant);
    say(`${index + 1}/${mutants.length} ${nameOf(mutant)}: ${catcher ?? 'SURVIVED'}`);
  }
  return survivors;
}

/**
 * The suites that pass without the fault, and with it fail or take many times as long; undefined if there are
 * none.
 */
async function catcherOf(mutant: PlacedMutant): Promise<string | undefined> {
  for (const suites of suitesFor(mutant.path)) {
    const limit = 30 + 5 * (await durationOf(suites));
    if (limit === Infinity) continue;
    const outcome = await runWith(mutant, suites, limit);
    if (outcome !== 'passed') return `${suites.join(' ')} ${outcome}`;
  }
  return undefined;
}

async function runWith(mutant: PlacedMutant, suites: readonly string[], seconds: number): Promise<Outcome> {
  const file = join(root, mutant.path);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, plant(text, mutant));
  try {
    return await runSuites(root, suites, seconds);
  } finally {
    writeFileSync(file, text);
  }
}

/** Suites that fail without a fault would catch every mutant: they catch none, and the exit code is 1. */
async function durationOf(suites: readonly string[]): Promise<number> {
  const key = suites.join(' ');
  const known = durations.get(key);
  if (known !== undefined) return known;
  const start = performance.now();
  const outcome = await runSuites(root, suites, 3600);
  const duration = outcome === 'passed' ? (performance.now() - start) / 1000 : Infinity;
  if (outcome !== 'passed') {
    process.exitCode = 1;
    say(`${key} ${outcome} without any fault`);
  }
  durations.set(key, duration);
  return duration;
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
