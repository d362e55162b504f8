import { afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import type { IssuedKeyView } from '#contracts';
import { gatewayPorts } from '../../../apps/gateway/src/gateway-ports.ts';
import type { GatewayPorts } from '../../../apps/gateway/src/gateway-ports.ts';
import { PublicationWatch } from '../../../apps/gateway/src/changes/publication-watch.ts';
import { RawRequest } from '../../support/raw-request.ts';
import { until } from '../../support/until.ts';
import { problemIn, startGateway } from '../gateway/gateway-under-test.ts';
import type { GatewayUnderTest } from '../gateway/gateway-under-test.ts';
import { useGateway } from '../gateway/use-gateway.ts';
import { administrator, keysRequired } from '../../support/keys-required.ts';

const settings = {
  ...keysRequired,
  GATEWAY_TENANT_REQUESTS: '2',
  GATEWAY_TENANT_WAITING: '3',
  GATEWAY_TENANT_WAIT_SECONDS: '300',
  GATEWAY_TENANT_SLOW_SECONDS: '300',
  GATEWAY_STALL_SECONDS: '300',
};
/** More bytes than the operating system takes from us for a client that does not read. */
const largeFile = 12_000_000;

const gateway = useGateway(settings);
let acme: string;
let other: string;

beforeAll(async () => {
  [acme, other] = [await tenantOf(gateway, 'acme'), await tenantOf(gateway, 'other')];
});

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

/** Makes a tenant with a collection of three items; returns a key for all it has. */
async function tenantOf(gatewayOf: GatewayUnderTest, name: string): Promise<string> {
  const headers = bearer(administrator);
  await gatewayOf.send('PUT', `/v1/tenants/${name}`, {}, headers);
  await gatewayOf.send('PUT', `/v1/collections/${name}.todo`, {}, headers);
  for (const id of ['1', '2', '3'])
    await gatewayOf.send('POST', `/v1/collections/${name}.todo/items`, { id, title: 'Tea' }, headers);
  const grants = [{ permissions: ['admin'], collections: `${name}.*` }];
  const issued = await gatewayOf.send('POST', '/v1/keys', { name, grants }, headers);
  return ((await issued.json()) as Required<IssuedKeyView>).key;
}

/** Has requests for items of `acme` wait where they would load one, and says which have come that far. */
function holdItems({ application }: GatewayUnderTest) {
  const { items } = application.get<GatewayPorts>(gatewayPorts).store;
  const load = items.load.bind(items);
  const held: (() => void)[] = [];
  const begun: string[] = [];
  let isHolding = true;
  const spy = jest.spyOn(items, 'load').mockImplementation(async (key, ids) => {
    if (isHolding && key.startsWith('acme.')) {
      begun.push(...ids);
      await new Promise<void>((resolve) => void held.push(resolve));
    }
    return load(key, ids);
  });
  return {
    begun,
    /** Resolves once so many have begun. */
    haveBegun: (count: number) => until(() => begun.length === count),
    release: () => held.shift()?.(),
    end(): void {
      isHolding = false;
      for (const release of held.splice(0)) release();
      spy.mockRestore();
    },
  };
}

let items: ReturnType<typeof holdItems>;
beforeEach(async () => {
  // So that `acme` is not alone.
  await read(other, 'other.todo/items/1');
  items = holdItems(gateway);
});
afterEach(() => items.end());

function read(key: string, path: string, signal?: AbortSignal): Promise<Response> {
  return fetch(`${gateway.url}/v1/collections/${path}`, { headers: bearer(key), ...(signal && { signal }) });
}

/** Reads an item of `acme`; the ids of items that there are not make no difference. */
const readItem = (id: string, signal?: AbortSignal): Promise<Response> =>
  read(acme, `acme.todo/items/${id}`, signal);

/** Resolves once so many requests wait for others of their tenant. */
async function waiting(count: number): Promise<void> {
  await until(async () => {
    const text = await (await gateway.send('GET', '/metrics', undefined, bearer(administrator))).text();
    return text.split('\n').includes(`feedmesh_tenant_requests_waiting ${count}`);
  });
}

/** Sends requests for items, of which two begin and the others wait, in this order. */
async function crowd(...ids: string[]): Promise<Promise<Response>[]> {
  const sent: Promise<Response>[] = [];
  for (const id of ids) {
    sent.push(readItem(id));
    await (sent.length > 2 ? waiting(sent.length - 2) : items.haveBegun(sent.length));
  }
  return sent;
}

test('requests of a tenant wait for its own alone, and begin in the order in which they came', async () => {
  const sent = await crowd('1', '2', '3', '1', '2');
  const refused = await problemIn(await readItem('3'));
  expect([refused.status, refused.rule, refused.detail]).toEqual([
    429,
    'tenant-throttled',
    'While other tenants send requests too, this gateway works on 2 of the tenant "acme" at the same time ' +
      '(setting GATEWAY_TENANT_REQUESTS), and 3 requests of it wait already (setting ' +
      'GATEWAY_TENANT_WAITING). Try again in 5 seconds.',
  ]);
  for (let count = 0; count < 5; count += 1)
    expect((await read(other, 'other.todo/items/1')).status).toBe(200);
  expect((await read(administrator, 'acme.todo')).status).toBe(200);
  expect(items.begun).toEqual(['1', '2']);
  for (const begun of [3, 4, 5]) {
    items.release();
    await items.haveBegun(begun);
  }
  expect(items.begun).toEqual(['1', '2', '3', '1', '2']);
  items.end();
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  await waiting(0);
});

test('a request whose client goes away while it waits does not begin, and the next one does', async () => {
  const sent = await crowd('1', '2');
  const gone = new AbortController();
  const aborted = readItem('gone', gone.signal);
  await waiting(1);
  const next = readItem('3');
  await waiting(2);
  gone.abort();
  await expect(aborted).rejects.toThrow();
  await waiting(1);
  items.release();
  await items.haveBegun(3);
  expect(items.begun).toEqual(['1', '2', '3']);
  items.end();
  expect((await Promise.all([...sent, next])).map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('a request whose key is revoked while it waits does not begin', async () => {
  const grants = [{ permissions: ['read'], collections: 'acme.*' }];
  const headers = bearer(administrator);
  const issued = await gateway.send('POST', '/v1/keys', { name: 'short', grants }, headers);
  const { id, key } = (await issued.json()) as Required<IssuedKeyView>;
  const sent = await crowd('1', '2');
  const cut = read(key, 'acme.todo/items/3');
  await waiting(1);
  await gateway.send('DELETE', `/v1/keys/${id}`, undefined, headers);
  await expect(cut).rejects.toThrow();
  await waiting(0);
  items.end();
  await Promise.all(sent);
  expect(items.begun).toEqual(['1', '2']);
});

test('what waits for its client, or for a change, has no place', async () => {
  await gateway.send('PUT', '/v1/collections/acme.files', { protocol: 'cse' }, bearer(acme));
  const uploaded = await fetch(`${gateway.url}/v1/collections/acme.files/files`, {
    method: 'POST',
    headers: { ...bearer(acme), 'content-type': 'text/plain' },
    body: 'x'.repeat(largeFile),
  });
  const { url } = (await uploaded.json()) as { url: string };
  const ends = new AbortController();
  const streams = await Promise.all(
    [1, 2, 3].map(() => read(acme, 'acme.todo/changes?mode=stream', ends.signal)),
  );
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
  const polling = jest.spyOn(gateway.application.get(PublicationWatch), 'newer').mock;
  const polls = [1, 2, 3].map(() => read(acme, 'acme.todo/changes?mode=longpoll', ends.signal));
  await until(() => polling.calls.length === 3);
  const raw = await Promise.all([1, 2, 3, 4, 5, 6].map(() => RawRequest.open(gateway.url)));
  const [downloads, uploads] = [raw.slice(0, 3), raw.slice(3)];
  const authorization = `Host: localhost\r\nAuthorization: Bearer ${acme}\r\n`;
  for (const download of downloads) {
    download.send(`GET ${new URL(url).pathname} HTTP/1.1\r\n${authorization}\r\n`);
    await download.begun;
    download.stall();
  }
  const body = JSON.stringify({ id: 'slow', title: 'Tea' });
  for (const upload of uploads)
    upload.send(
      `POST /v1/collections/acme.todo/items HTTP/1.1\r\n${authorization}Content-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
  const sent = await crowd('1', '2');
  // Once its body is there, a request waits as others do.
  for (const upload of uploads) upload.send(body.slice(5));
  await waiting(3);
  items.end();
  await Promise.all([...sent, ...uploads.map(({ begun }) => begun)]);
  expect(uploads.map(({ received }) => received.slice(9, 12)).sort()).toEqual(['201', '409', '409']);
  for (const download of downloads) download.resume();
  await until(() => downloads.every(({ received }) => received.length > largeFile));
  ends.abort();
  await Promise.allSettled([...polls, ...streams.map((stream) => stream.text())]);
  for (const connection of raw) connection.close();
});

test('requests that wait when the gateway is to end are served before it does', async () => {
  const ending = await startGateway(settings);
  const [key, second] = [await tenantOf(ending, 'acme'), await tenantOf(ending, 'other')];
  const held = holdItems(ending);
  // The only tenant so far: it waits for nothing.
  const one = (id: string): Promise<Response> =>
    ending.send('GET', `/v1/collections/acme.todo/items/${id}`, undefined, bearer(key));
  const sent = ['1', '2', '3', '1'].map(one);
  await held.haveBegun(4);
  await ending.send('GET', '/v1/collections/other.todo', undefined, bearer(second));
  sent.push(one('2'), one('3'));
  await waiting(2);
  const closed = ending.close();
  held.end();
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  await closed;
});

test('a request that waits for slow ones begins once they count no more', async () => {
  const lenient = await startGateway({ ...settings, GATEWAY_TENANT_SLOW_SECONDS: '0.1' });
  const keys = [await tenantOf(lenient, 'acme'), await tenantOf(lenient, 'other')] as const;
  const one = (key: string, path: string): Promise<Response> =>
    lenient.send('GET', `/v1/collections/${path}`, undefined, bearer(key));
  await one(keys[1], 'other.todo');
  const held = holdItems(lenient);
  const sent = ['1', '2', '3'].map((id) => one(keys[0], `acme.todo/items/${id}`));
  await held.haveBegun(3);
  held.end();
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200]);
  await lenient.close();
});

test('a request waits for so long, and is refused then', async () => {
  const impatient = await startGateway({
    ...settings,
    GATEWAY_TENANT_REQUESTS: '1',
    GATEWAY_TENANT_WAIT_SECONDS: '0.1',
  });
  const keys = [await tenantOf(impatient, 'acme'), await tenantOf(impatient, 'other')] as const;
  const one = (key: string, path: string): Promise<Response> =>
    impatient.send('GET', `/v1/collections/${path}`, undefined, bearer(key));
  await one(keys[1], 'other.todo');
  const held = holdItems(impatient);
  const first = one(keys[0], 'acme.todo/items/1');
  await held.haveBegun(1);
  const refused = await problemIn(await one(keys[0], 'acme.todo/items/2'));
  expect([refused.status, refused.rule, refused.detail]).toEqual([
    429,
    'tenant-throttled',
    'While other tenants send requests too, this gateway works on 1 of the tenant "acme" at the same time ' +
      '(setting GATEWAY_TENANT_REQUESTS), and this one has waited for 0.1 seconds (setting ' +
      'GATEWAY_TENANT_WAIT_SECONDS). Try again in 5 seconds.',
  ]);
  held.end();
  expect((await first).status).toBe(200);
  expect((await one(keys[0], 'acme.todo/items/2')).status).toBe(200);
  await impatient.close();
});
