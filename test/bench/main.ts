import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { readArguments } from './arguments.ts';
import { Installation } from './feedmesh/installation.ts';
import { growthCases } from './growth/cases/index.ts';
import { countGrowth, growthLines } from './growth/count-growth.ts';
import type { GrowthResult } from './growth/growth-case.ts';
import { measureRow } from './measure-row.ts';
import { barChart } from './report/bar-chart.ts';
import { rowLines } from './report/table.ts';
import type { World } from './row.ts';
import type { RowResult } from './summary.ts';

/**
 * `npm run bench [-- --row NAME] [--rounds N] [--size FACTOR] [--short] [--out FOLDER]`: measures what
 * operations cost, each beside a reference in the same run, and prints a table; the folder gets the same as
 * JSON, and a picture of each row. `--row growth` is no measurement: it counts what some work costs at two
 * sizes. Judges nothing: its exit code is 0 unless a row can't be measured.
 */
const { rows, countsGrowth, scale, out } = readArguments(process.argv.slice(2));
const { REDIS_URL: redisUrl, MONGODB_URI: mongodbUri } = process.env;
if (!redisUrl || !mongodbUri)
  throw new Error('REDIS_URL and MONGODB_URI must be set; npm run bench does so.');

let starting: Promise<Installation> | undefined;
const world: World = {
  redisUrl,
  mongodbUri,
  installation: () =>
    (starting ??= Installation.start({
      redisUrl,
      mongodbUri,
      database: `bench-${randomBytes(4).toString('hex')}`,
    })),
};
const say = (line: string): void => void process.stdout.write(`${line}\n`);

say(
  `${cpus().length} cores, Node ${process.versions.node}; ${scale.rounds} rounds, interleaved; medians first`,
);
say('');
const results: RowResult[] = [];
mkdirSync(out, { recursive: true });
try {
  for (const row of rows) {
    const result = await measureRow(row, world, scale);
    results.push(result);
    for (const line of rowLines(result)) say(line);
    writeFileSync(join(out, `${row.name}.svg`), barChart(result));
  }
} finally {
  const installation = await starting;
  if (installation) {
    const memory = Object.entries(installation.peakMemory()).map(
      ([name, mb]) => `${name} ${Math.round(mb)} MB`,
    );
    say(`peak memory: ${memory.join(', ')}`);
    await installation.stop();
  }
}
const growth: GrowthResult[] = [];
if (countsGrowth) {
  say('growth: operations of MongoDB, and documents that it looked at, beside the smaller size');
  for (const each of growthCases) {
    const result = await countGrowth(each, scale);
    growth.push(result);
    for (const line of growthLines(result)) say(line);
  }
  say('');
}
writeFileSync(join(out, 'results.json'), `${JSON.stringify({ scale, results, growth }, undefined, 2)}\n`);
say(`${join(out, 'results.json')} has these figures, ${out} a picture of each row`);
