import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { longDocuments } from './documents.ts';
import type { TurnReport } from './run.ts';

/** How long a document may hold up whatever else a fetcher does, in milliseconds of processor time. */
const longestTurn = 100;

/** How often a document is tried: another process on the machine may spoil a turn, but not each time. */
const attempts = 3;

const hangLimit = 3_600_000;

const server = createServer((request, response) => {
  const document = longDocuments.find(({ name }) => request.url === `/${encodeURIComponent(name)}`);
  response.writeHead(document ? 200 : 404, { 'content-type': document?.contentType ?? 'application/xml' });
  response.end(document?.body());
});

const reports = new Map<string, TurnReport>();

/** Fetches documents in a process of its own; all of them if none is named. */
async function run(names: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<TurnReport[]> {
  const { port } = server.address() as AddressInfo;
  const program = ['dist/test/hostile/turns/run.js', `http://127.0.0.1:${port}`, ...names];
  const child = spawn(process.execPath, program, {
    env: { ...process.env, NODE_OPTIONS: '', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const lines = (await text(child.stdout)).trim().split('\n');
  expect(await closed).toEqual([0, null]);
  return lines.map((line) => JSON.parse(line) as TurnReport);
}

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  for (const report of await run([])) reports.set(report.name, report);
}, hangLimit);

afterAll(() => void server.close());

test.each(longDocuments.map(({ name, expected }) => [name, expected] as const))(
  '%s holds up nothing else',
  async (name, expected) => {
    const report = reports.get(name);
    if (typeof expected === 'number') expect(report?.came).toBeGreaterThanOrEqual(expected);
    else expect(report?.came).toBe(expected);
    let shortest = report?.longest ?? Infinity;
    for (let attempt = 1; attempt < attempts && shortest > longestTurn; attempt += 1)
      shortest = Math.min(shortest, (await run([name]))[0]?.longest ?? Infinity);
    expect(shortest).toBeLessThan(longestTurn);
  },
  hangLimit,
);

test(
  'a document that takes too much memory is refused, and the next one is read',
  async () => {
    const names = ['a JSON Feed of 16 MB', 'a page of tags that do not end'];
    const came = (await run(names, { TURNS_HEAP: '32' })).map((report) => report.came);
    expect(came).toEqual(['limit-memory', 'feed-root']);
  },
  hangLimit,
);
