import { execFile, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { IssuedKeyView } from '#contracts';
import { processorTimes, processorTimeSince } from '../bench/processor-time.ts';
import { isStress } from '../support/stress.ts';
import { FourGateways } from './four-gateways.ts';
import { percentile, sendPaced } from './flood/paced-load.ts';
import type { PacedLoad, PacedResult } from './flood/paced-load.ts';

/** How many requests one tenant sends, and how many it may send in a second, and at once. */
const flooded = Number(process.env['FLOOD_REQUESTS'] || (isStress ? 100_000 : 1500));
const floodRate = Number(process.env['FLOOD_RATE'] || 1000);
/** Connections of the flood to each gateway. While all of them wait for responses, nothing is sent. */
const floodConnections = Number(process.env['FLOOD_CONNECTIONS'] || (isStress ? 50 : 8));
const limit = isStress ? 100 : 20;
const burst = 5 * limit;

/** How many requests another tenant sends in a second. */
const otherRate = 50;
/** Seconds that it is measured without the flood, before and after it. */
const calm = Number(process.env['FLOOD_CALM_SECONDS'] || (isStress ? 60 : 1));
/** How often the burst is sent again after a rest, to measure the other tenant beside it. */
const furtherBursts = Number(process.env['FLOOD_BURSTS'] || 10);

let gateways: FourGateways;

beforeAll(async () => {
  gateways = await FourGateways.start({
    TENANT_BURST_SECONDS: String(burst / limit),
    // Redis and the gateways share a machine that is kept busy.
    TENANT_QUOTA_TIMEOUT_MS: '10000',
  });
});
afterAll(() => gateways?.close());

/** A tenant with a collection of one item; returns requests for that item at all gateways, with its key. */
async function tenantWith(name: string, limits: object): Promise<Pick<PacedLoad, 'urls' | 'headers'>> {
  await gateways.send('PUT', `/v1/tenants/${name}`, { limits });
  await gateways.send('PUT', `/v1/collections/${name}.todo`, {});
  await gateways.send('POST', `/v1/collections/${name}.todo/items`, { id: 'a', title: 'Tea' });
  const grants = [{ permissions: ['read'], collections: `${name}.*` }];
  const issued = await gateways.send('POST', '/v1/keys', { name, grants });
  const { key } = (await issued.json()) as Required<IssuedKeyView>;
  const urls = gateways.urls.map((url) => `${url}/v1/collections/${name}.todo/items/a`);
  return { urls, headers: { authorization: `Bearer ${key}` } };
}

/** Four servers of Node that refuse everything with a body of the usual size: what a flood costs anyway. */
async function startRefusingServers(): Promise<{ readonly urls: string[]; close(): void }> {
  const body = JSON.stringify({ detail: 'x'.repeat(300) });
  const program = `
    for (let count = 0; count < 4; count += 1) {
      const server = require('node:http').createServer((request, response) => {
        response.writeHead(429, { 'content-length': ${body.length} }).end(${JSON.stringify(body)});
      });
      server.listen(0, '127.0.0.1', () => console.log(server.address().port));
    }
  `;
  const env = { ...process.env, NODE_OPTIONS: '' };
  const child = spawn(process.execPath, ['-e', program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let ports: string[] = [];
  for await (const piece of child.stdout.iterator({ destroyOnReturn: false })) {
    ports = [...ports, ...String(piece).trim().split('\n')];
    if (ports.length === 4) break;
  }
  return { urls: ports.map((port) => `http://127.0.0.1:${port}/`), close: () => void child.kill() };
}

/**
 * Sends the flood from a process of its own, which in full form has a lower priority: it holds up nobody who
 * measures, and takes little from the gateways.
 */
function flood(
  load: Pick<PacedLoad, 'urls' | 'headers'>,
  count: number,
): Promise<Omit<PacedResult, 'latencies'>> {
  return sendElsewhere({ ...load, count, perSecond: floodRate, connections: floodConnections });
}

async function sendElsewhere(load: PacedLoad): Promise<Omit<PacedResult, 'latencies'>> {
  const LOAD = JSON.stringify(load);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [resolve('dist/test/stress/flood/main.js')],
    {
      env: { ...process.env, NODE_OPTIONS: '', LOAD },
    },
  );
  return JSON.parse(stdout) as Omit<PacedResult, 'latencies'>;
}

test('a tenant that floods four gateways gets its quota, and others go on beside it', async () => {
  const [acme, other] = [
    await tenantWith('acme', { requestsPerSecond: limit }),
    await tenantWith('other', {}),
  ];
  const measure: Measure = (seconds, signal) =>
    sendPaced(
      { ...other, count: otherRate * seconds, perSecond: otherRate, connections: 4 },
      signal && { signal },
    );
  // The first requests of a process are slow.
  await measure(Math.min(calm, 10));
  const before = await measure(calm);
  const processes = Object.fromEntries(gateways.processes.map(({ pid }, place) => [place, pid]));
  const times = processorTimes(processes);
  const begin = performance.now();
  // What a tenant may send at once is served as what others send, and measured by itself.
  const [first, besideBurst] = await measureBeside(measure, flood(acme, 2 * burst));
  const [rest, beside] = await measureBeside(measure, flood(acme, flooded - 2 * burst));
  const seconds = (performance.now() - begin) / 1000;
  const spent = Object.values(processorTimeSince(times, processes)).reduce((sum, time) => sum + time, 0);
  const after = await measure(calm);

  const [through, refused] = [200, 429].map(
    (status) => (first.statuses[status] ?? 0) + (rest.statuses[status] ?? 0),
  ) as [number, number];
  const quota = burst + limit * seconds;
  report({ through, quota, refused, seconds, spent, before, besideBurst, beside, after });
  if (isStress) await reportBursts(acme, measure);
  if (isStress) await reportControls(acme, measure);
  expect(through + refused).toBe(flooded);
  expect(through).toBeLessThanOrEqual(quota * 1.01);
  expect(through).toBeGreaterThan(burst);
  expect(refused).toBeGreaterThan(0);
  for (const result of [before, besideBurst, beside, after])
    expect(result.statuses).toEqual({ 200: result.latencies.length });
}, 1_800_000);

/** Measures the other tenant for so many seconds, or until a signal. */
type Measure = (seconds: number, signal?: AbortSignal) => Promise<PacedResult>;

/** What the other tenant measures while something else is sent, and what that came to. */
async function measureBeside<Result>(
  measure: Measure,
  work: Promise<Result>,
): Promise<[Result, PacedResult]> {
  const end = new AbortController();
  const measured = measure(Infinity, end.signal);
  const result = await work.finally(() => end.abort());
  return [result, await measured];
}

/** Says what the other tenant notices of bursts, each after a rest in which it is measured alone. */
async function reportBursts(acme: Pick<PacedLoad, 'urls' | 'headers'>, measure: Measure): Promise<void> {
  const results: [PacedResult, PacedResult][] = [];
  let seconds = 0;
  for (let count = 0; count < furtherBursts; count += 1) {
    const alone = await measure(burst / limit + 1);
    const [sent, beside] = await measureBeside(measure, flood(acme, 2 * burst));
    seconds += sent.seconds;
    results.push([alone, beside]);
  }
  const alone = joined(results.map(([first]) => first));
  const beside = joined(results.map(([, second]) => second));
  process.stdout.write(
    `beside ${furtherBursts} bursts of ${(seconds / furtherBursts).toFixed(1)} s each ${timesOf(beside)}, ` +
      `alone between them ${timesOf(alone)}\n`,
  );
}

/** All that was measured in several phases. */
function joined(results: readonly PacedResult[]): Pick<PacedResult, 'latencies'> {
  return { latencies: results.flatMap(({ latencies }) => latencies).sort((one, other) => one - other) };
}

/**
 * Says what the other tenant notices of the requests that the flood gets through, without the others, and of
 * a flood that is sent to servers that do nothing but refuse.
 */
async function reportControls(acme: Pick<PacedLoad, 'urls' | 'headers'>, measure: Measure): Promise<void> {
  const connections = floodConnections;
  const sendQuota = (): Promise<unknown> =>
    sendElsewhere({ ...acme, count: limit * calm, perSecond: limit, connections });
  const [, besideQuota] = await measureBeside(measure, sendQuota());
  const refusing = await startRefusingServers();
  const load = { ...acme, urls: refusing.urls, count: floodRate * calm, perSecond: floodRate, connections };
  const [, besideBare] = await measureBeside(measure, sendElsewhere(load));
  const [, besideBoth] = await measureBeside(measure, Promise.all([sendQuota(), sendElsewhere(load)]));
  refusing.close();
  const alone = await measure(calm);
  process.stdout.write(
    `beside the quota without a flood ${timesOf(besideQuota)}, beside a flood of servers that only refuse ` +
      `${timesOf(besideBare)}, beside both ${timesOf(besideBoth)}, alone again ${timesOf(alone)}\n`,
  );
}

interface Report {
  readonly through: number;
  readonly quota: number;
  readonly refused: number;
  readonly seconds: number;
  /** Processor time of the gateways while the flood was sent, in seconds. */
  readonly spent: number;
  readonly before: PacedResult;
  /** While the flood began, and the tenant still had what it may send at once. */
  readonly besideBurst: PacedResult;
  readonly beside: PacedResult;
  readonly after: PacedResult;
}

/** Says what was measured: how far from the quota, and how long the other tenant's requests took. */
function report({
  through,
  quota,
  refused,
  seconds,
  spent,
  before,
  besideBurst,
  beside,
  after,
}: Report): void {
  if (!isStress) return;
  const [alone, whole] = [joined([before, after]), joined([besideBurst, beside])];
  process.stdout.write(
    [
      `${through} of ${through + refused} requests in ${seconds.toFixed(1)} s were let through: ` +
        `${((through / quota) * 100).toFixed(2)} % of the quota of ${Math.round(quota)}; ` +
        `the gateways took ${spent.toFixed(1)} s of processor time`,
      `p50 / p95 / p99 of another tenant in ms: before ${timesOf(before)}, ` +
        `beside its burst ${timesOf(besideBurst)}, beside the flood ${timesOf(beside)}, ` +
        `after ${timesOf(after)}; alone ${timesOf(alone)}, beside all of the flood ${timesOf(whole)}; ` +
        `p99 × ${(percentile(whole, 0.99) / percentile(alone, 0.99)).toFixed(2)}`,
      '',
    ].join('\n'),
  );
}

/** Half, 95 and 99 % of requests took at most so many milliseconds, and how many requests that were. */
function timesOf(result: Pick<PacedResult, 'latencies'>): string {
  const times = [0.5, 0.95, 0.99].map((share) => percentile(result, share).toFixed(1));
  return `${times.join(' / ')} (${result.latencies.length})`;
}
