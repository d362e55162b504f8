import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { request } from 'undici';
import type { IssuedKeyView } from '#contracts';
import { isStress } from '../support/stress.ts';
import { unlessCutOff } from '../support/until-refused.ts';
import { until } from '../support/until.ts';
import { FourGateways } from './four-gateways.ts';

/** How often each kind of access is taken away. */
const rounds = isStress ? 20 : 1;
/** Milliseconds between two requests that show whether a gateway lets one through. */
const pause = 10;

const refusals: readonly (number | undefined)[] = [401, 403];

const changes = '/v1/collections/acme.todo/changes?mode=stream';
const feed = '/feeds/acme.todo.atom';

let gateways: FourGateways;

beforeAll(async () => {
  gateways = await FourGateways.start({});
  await gateways.send('PUT', '/v1/tenants/acme', {});
  await gateways.send('PUT', '/v1/collections/acme.todo', {});
});
afterAll(() => gateways?.close());

/** What a reader has until it is taken away. */
interface Access {
  readonly headers: Readonly<Record<string, string>>;
  readonly paths: { readonly request: string; readonly stream?: string };
  readonly takeAway: () => Promise<unknown>;
  readonly giveBack?: () => Promise<unknown>;
}

async function issue(permission: string): Promise<Required<IssuedKeyView>> {
  const grants = [{ permissions: [permission], collections: 'acme.*' }];
  const issued = await gateways.send('POST', '/v1/keys', { name: 'reader', grants });
  return (await issued.json()) as Required<IssuedKeyView>;
}

const kinds: Readonly<Record<string, () => Promise<Access>>> = {
  'a revoked key': async () => {
    const { id, key } = await issue('read');
    return {
      headers: { authorization: `Bearer ${key}` },
      paths: { request: '/v1/collections/acme.todo', stream: changes },
      takeAway: () => gateways.send('DELETE', `/v1/keys/${id}`),
    };
  },
  'a replaced secret address': async () => {
    const { id, key } = await issue('feeds');
    return {
      headers: {},
      paths: { request: `/r/${key}${feed}` },
      takeAway: () => gateways.send('POST', `/v1/keys/${id}/rotate`, { overlapSeconds: 0 }),
    };
  },
  'a suspended tenant': async () => {
    const { key } = await issue('read');
    const suspend = (suspended: boolean): Promise<unknown> =>
      gateways.send('PATCH', '/v1/tenants/acme', { suspended });
    return {
      headers: { authorization: `Bearer ${key}` },
      paths: { request: '/v1/collections/acme.todo', stream: changes },
      takeAway: () => suspend(true),
      giveBack: () => suspend(false),
    };
  },
};

async function statusAt(url: string, { headers, paths }: Access): Promise<number> {
  const { statusCode, body } = await request(url + paths.request, { headers });
  await body.dump();
  return statusCode;
}

/** Sends requests to a gateway until one is refused; returns when. */
async function refusedAt(url: string, access: Access): Promise<number> {
  while (!refusals.includes(await unlessCutOff(() => statusAt(url, access)))) await wait(pause);
  return performance.now();
}

/** Opens an event stream at a gateway; returns a promise of when it is cut off. */
async function openStream(
  url: string,
  path: string,
  headers: Access['headers'],
): Promise<() => Promise<number>> {
  const response = await fetch(url + path, { headers });
  expect(response.status).toBe(200);
  const cut = response.text().then(
    () => performance.now(),
    () => performance.now(),
  );
  return () => cut;
}

test.each(Object.entries(kinds))('%s gets nothing from any gateway any more', async (name, open) => {
  const times = { requests: [] as number[], streams: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    const access = await open();
    for (const url of gateways.urls) await until(async () => (await statusAt(url, access)) === 200);
    const { stream } = access.paths;
    const streams =
      stream === undefined
        ? []
        : await Promise.all(gateways.urls.map((url) => openStream(url, stream, access.headers)));
    const refused = gateways.urls.map((url) => refusedAt(url, access));
    // At any moment between two looks of a gateway.
    await wait(Math.random() * 500);
    const begin = performance.now();
    await access.takeAway();
    times.requests.push(...(await Promise.all(refused)).map((end) => end - begin));
    times.streams.push(...(await Promise.all(streams.map((cut) => cut()))).map((end) => end - begin));
    await access.giveBack?.();
  }
  expect(times.requests).toHaveLength(4 * rounds);
  if (isStress) for (const [kind, found] of Object.entries(times)) report(`${name}, ${kind}`, found);
});

/** Prints half of the times, and the longest, in milliseconds from before the call that takes access away. */
function report(what: string, times: readonly number[]): void {
  if (times.length === 0) return;
  const sorted = times.toSorted((left, right) => left - right);
  const shown = [0.5, 0.95, 1].map((share) =>
    (sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN).toFixed(0),
  );
  process.stdout.write(`${what}: p50 / p95 / most ${shown.join(' / ')} ms of ${sorted.length}\n`);
}
