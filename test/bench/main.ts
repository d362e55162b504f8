import { mkdirSync, writeFileSync } from 'node:fs';
import { constants, cpus } from 'node:os';
import { join } from 'node:path';
import { readArguments } from './arguments.ts';
import { Installations } from './feedmesh/installations.ts';
import { growthCases } from './growth/cases/index.ts';
import { countGrowth, growthLines } from './growth/count-growth.ts';
import type { GrowthResult } from './growth/growth-case.ts';
import { closeGateway } from './growth/under-test.ts';
import { measureRow } from './measure-row.ts';
import { barChart } from './report/bar-chart.ts';
import { goalResults, goalTable } from './report/goals.ts';
import { memoryText, rowLines } from './report/table.ts';
import type { RowResult } from './summary.ts';

/**
 * `npm run bench [-- --row NAME] [--uncounted] [--rounds N] [--size FACTOR] [--short] [--out FOLDER]`:
 * measures what operations cost, each beside a reference in the same run or beside itself at a smaller size,
 * and prints a report that begins with the goals; the folder gets the same as JSON, and a picture of each
 * row. `--row growth` is no measurement: it counts what some work costs at two sizes. Judges nothing: its
 * exit code is 0 unless a row can't be measured.
 */
const { rows, countsGrowth, scale, out } = readArguments(process.argv.slice(2));
const { REDIS_URL: redisUrl, MONGODB_URI: mongodbUri } = process.env;
if (!redisUrl || !mongodbUri)
  throw new Error('REDIS_URL and MONGODB_URI must be set; npm run bench does so.');

const report: string[] = [];
const say = (line: string): void => void report.push(line);
const installations = new Installations({ redisUrl, mongodbUri });
let ending: Promise<void> | undefined;
// A second signal changes nothing: Ctrl-C reaches this process by itself, and is passed on to it.
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => {
    ending ??= installations.stop().finally(() => process.exit(128 + constants.signals[name]));
  });
const world = {
  redisUrl,
  mongodbUri,
  installation: () => installations.shared(),
  another: installations.another.bind(installations),
};
const results: RowResult[] = [];
const growth: GrowthResult[] = [];
const failed: string[] = [];

/** Does one part of the run; a failure is reported, and the next part follows. */
async function attempt(name: string, work: () => Promise<void>): Promise<void> {
  process.stderr.write(`[bench] ${name}\n`);
  try {
    await work();
  } catch (error) {
    failed.push(name);
    say(`${name} could not be measured: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}

mkdirSync(out, { recursive: true });
try {
  for (const row of rows)
    await attempt(row.name, async () => {
      const result = await measureRow(row, world, scale);
      results.push(result);
      for (const line of rowLines(result)) say(line);
      writeFileSync(join(out, `${row.name}.svg`), barChart(result));
    });
  const memory = await installations.peakMemory();
  if (memory) say(`peak memory of what most rows are measured with: ${memoryText(memory)}\n`);
} finally {
  await installations.stop();
}
if (countsGrowth) {
  say('growth: operations of MongoDB, and documents that it looked at, beside the smaller size');
  for (const each of growthCases)
    await attempt(each.name, async () => {
      const result = await countGrowth(each, scale);
      growth.push(result);
      for (const line of growthLines(result)) say(line);
    });
  await closeGateway();
  say('');
}
const goals = results.flatMap(goalResults);
writeFileSync(
  join(out, 'results.json'),
  `${JSON.stringify({ scale, goals, results, growth }, undefined, 2)}\n`,
);
const head = [
  `${cpus().length} cores, Node ${process.versions.node}; ${scale.rounds} rounds in turn, medians`,
  '',
  ...(goals.length > 0 ? [...goalTable(goals), ''] : []),
];
say(`${join(out, 'results.json')} has these figures, ${out} a picture of each row`);
if (failed.length > 0) {
  say(`not measured: ${failed.join('; ')}`);
  process.exitCode = 1;
}
process.stdout.write(`${[...head, ...report].join('\n')}\n`);
