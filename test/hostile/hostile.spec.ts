import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { corpus } from './corpus.ts';
import type { Expected } from './hostile-feed.ts';
import type { Report } from './run.ts';

/** For the whole corpus, in milliseconds; it only stops a hang: each feed has a limit of processor time. */
const hangLimit = 3_600_000;

/** How many of the slowest feeds are named. */
const namedFeeds = 10;

const reports = new Map<string, Report>();

/** Runs the corpus in a process of its own, so that a feed can end no more than that. */
beforeAll(async () => {
  const child = spawn(process.execPath, ['dist/test/hostile/run.js'], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  for await (const line of createInterface({ input: child.stdout })) {
    const report = JSON.parse(line) as Report;
    reports.set(report.name, report);
  }
  expect(await closed).toEqual([0, null]);
  process.stderr.write(`${slowest()}\n`);
}, hangLimit);

function slowest(): string {
  const all = [...reports.values()].toSorted((one, other) => other.seconds - one.seconds);
  const total = all.reduce((sum, { seconds }) => sum + seconds, 0);
  return `[hostile] ${all.length} feeds, ${total.toFixed(1)} s of processor time; ${all
    .slice(0, namedFeeds)
    .map(({ name, seconds }) => `${name} ${seconds} s`)
    .join(', ')}`;
}

/** What comes of a feed, in one order. */
function sorted(outcome: Expected): Expected {
  if ('refused' in outcome) return outcome;
  const { merged, rejected } = outcome;
  return { ...outcome, merged: merged.toSorted(), ...(rejected && { rejected: rejected.toSorted() }) };
}

test('has at least 150 feeds, each with a name of its own', () => {
  const names = corpus.map(({ name }) => name);
  expect(names.length).toBeGreaterThanOrEqual(150);
  expect(new Set(names).size).toBe(names.length);
});

describe('a hostile feed stays within its limits of time and memory; merged items can be read again', () => {
  test.each(corpus.map(({ name, expected }) => ({ name, expected })))('$name', ({ name, expected }) => {
    const { seconds: _seconds, ...report } = reports.get(name) ?? {
      name,
      seconds: 0,
      crash: 'not reported',
    };
    expect('outcome' in report ? { ...report, outcome: sorted(report.outcome) } : report).toEqual({
      name,
      outcome: sorted(expected),
      problems: [],
    });
  });
});
