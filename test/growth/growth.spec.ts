import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from '@jest/globals';
import { growthCases } from './cases/index.ts';
import { maximumFactor } from './measure-growth.ts';
import type { Growth } from './measure-growth.ts';

/** For all cases, in milliseconds; it only stops a hang. */
const hangLimit = 3_600_000;

const found = new Map<string, Growth>();

/** Measures in a process that does nothing else. */
beforeAll(async () => {
  const program = ['--expose-gc', '--max-semi-space-size=64', 'dist/test/growth/run.js'];
  const child = spawn(process.execPath, program, {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  // Not by `readline`, which takes U+2028 for the end of a line in Node.js 24.
  for (const line of (await text(child.stdout)).trimEnd().split('\n')) {
    const growth = JSON.parse(line) as Growth | { readonly seconds: number };
    if ('seconds' in growth) process.stderr.write(`[growth] ${found.size} cases, ${growth.seconds} s\n`);
    else found.set(growth.name, growth);
  }
  expect(await closed).toEqual([0, null]);
}, hangLimit);

function row({ name, sizes, times, factor, steps, crash }: Growth): string {
  const milliseconds = times.map((time) => time.toFixed(1)).join(' to ');
  const shown = crash ?? `${milliseconds} ms with ${sizes.join(' to ')}, factor ${factor?.toFixed(2)}`;
  return `${name}: ${shown} ${steps === undefined ? '' : JSON.stringify(steps)}`;
}

test(`twice the input takes at most ${maximumFactor} times the processor time`, () => {
  // What is infinite is null in JSON.
  const over = [...found.values()].filter(({ factor }) => factor === null || factor > maximumFactor);
  expect(over.map(row)).toEqual([]);
});

test('every case is measured, and has a name of its own', () => {
  const expected = growthCases.filter(({ isLong }) => process.env['STRESS'] === 'yes' || isLong !== true);
  expect([...found.keys()].toSorted()).toEqual(expected.map(({ name }) => name).toSorted());
});
