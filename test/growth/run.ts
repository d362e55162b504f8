import { growthCases } from './cases/index.ts';
import { measureGrowth } from './measure-growth.ts';
import type { Effort } from './measure-growth.ts';

/** Measures every case whose name contains a text, and prints what each came to, a line of JSON each. */
const [pattern = ''] = process.argv.slice(2);
const isShort = process.env['STRESS'] !== 'yes';
const effort: Effort = isShort ? { target: 8, isShort } : { target: 16, isShort };

for (const growthCase of growthCases) {
  if (!growthCase.name.includes(pattern) || (isShort && growthCase.isLong === true)) continue;
  process.stdout.write(`${JSON.stringify(await measureGrowth(growthCase, effort))}\n`);
}
process.stdout.write(`${JSON.stringify({ seconds: process.cpuUsage().user / 1e6 })}\n`);
