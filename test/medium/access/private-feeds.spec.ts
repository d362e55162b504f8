import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { IssuedKeyView, Permission } from '#contracts';
import { freePort } from '#databases';
import { runWithFeedparser } from '../../support/feedparser.ts';
import { until } from '../../support/until.ts';
import { PipelineUnderTest } from '../pipeline/pipeline-under-test.ts';

/** An installation whose feeds are private, with all its services. */
class Installation {
  private constructor(
    readonly pipeline: PipelineUnderTest,
    readonly url: string,
    readonly administrator: string,
  ) {}

  static async start(): Promise<Installation> {
    const port = String(await freePort());
    const url = `http://127.0.0.1:${port}`;
    const administrator = randomBytes(24).toString('base64url');
    const secret = randomBytes(32).toString('base64');
    const pipeline = await PipelineUnderTest.open({
      PUBLIC_URL: url,
      CREDENTIALS_KEYS: `first:${secret}`,
      FETCH_HOST_LONGEST_PAUSE_SECONDS: '0.01',
    });
    await pipeline.start('fetcher', 'merger', 'publisher');
    await pipeline.startWith(
      { PORT: port, AUTH: 'required', AUTH_SECRETS: secret, AUTH_ADMIN_KEY: administrator },
      'gateway',
    );
    return new Installation(pipeline, url, administrator);
  }

  async send(method: string, path: string, body?: object): Promise<Response> {
    const headers = { authorization: `Bearer ${this.administrator}`, 'content-type': 'application/json' };
    const response = await fetch(this.url + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(await response.text());
    return response;
  }

  async issue(permission: Permission): Promise<Required<IssuedKeyView>> {
    const body = { name: 'reader', grants: [{ permissions: [permission], collections: 'orders' }] };
    return (await (await this.send('POST', '/v1/keys', body)).json()) as Required<IssuedKeyView>;
  }

  async titles(): Promise<string[]> {
    const { items } = (await (await this.send('GET', '/v1/collections/orders/items')).json()) as {
      items: { title: string }[];
    };
    return items.map(({ title }) => title).toSorted();
  }
}

let here: Installation;
let there: Installation;

beforeAll(async () => {
  [here, there] = await Promise.all([Installation.start(), Installation.start()]);
  for (const [name, installation] of [
    ['here', here],
    ['there', there],
  ] as const) {
    await installation.send('PUT', '/v1/collections/orders', { endpoint: `test:${name}` });
    const item = { id: `from-${name}`, title: `Tea from ${name}` };
    await installation.send('POST', '/v1/collections/orders/items', item);
  }
});
afterAll(async () => {
  await here?.pipeline.close();
  await there?.pipeline.close();
});

test('two installations exchange a private collection both ways', async () => {
  for (const [reader, publisher] of [
    [here, there],
    [there, here],
  ] as const) {
    const { key } = await publisher.issue('feeds');
    await reader.send('PUT', '/v1/collections/orders/subscriptions/peer', {
      url: `${publisher.url}/feeds/orders.atom`,
      interval: { minimum: 1, maximum: 1 },
      credentials: { kind: 'bearer', token: key },
    });
  }
  const both = ['Tea from here', 'Tea from there'];
  for (const installation of [here, there])
    await until(async () => JSON.stringify(await installation.titles()) === JSON.stringify(both));
  await here.send('PUT', '/v1/collections/orders/items/from-there', { title: 'Coffee from there' });
  await until(async () => (await there.titles()).includes('Coffee from there'));
  expect((await fetch(`${here.url}/feeds/orders.atom`)).status).toBe(401);
});

describe('a secret address', () => {
  const seen = async (address: string): Promise<{ status: number; titles: string[] }> => {
    const script = fileURLToPath(new URL('read-with-feedparser.py', import.meta.url));
    return JSON.parse(await runWithFeedparser(script, address)) as { status: number; titles: string[] };
  };

  test('lets feedparser read a private feed, until it is replaced', async () => {
    const { id, address } = await here.issue('feeds');
    const path = '/feeds/orders/reader.atom';
    expect(address).toMatch(new RegExp(`^${here.url}/r/fm_${id}_`));
    const read = await until(async () => {
      const found = await seen(`${address}${path}`);
      return found.titles.includes('Tea from here') && found;
    });
    expect(read.status).toBe(200);
    const rotated = await here.send('POST', `/v1/keys/${id}/rotate`, { overlapSeconds: 0 });
    const { address: replaced } = (await rotated.json()) as Required<IssuedKeyView>;
    await until(async () => (await seen(`${address}${path}`)).status === 401);
    expect((await seen(`${replaced}${path}`)).status).toBe(200);
    expect((await seen(`${here.url}${path}`)).titles).toEqual([]);
  });

  test('is for feeds and files alone, and takes no key that permits more', async () => {
    const { address } = await here.issue('feeds');
    const { key: reading, address: none } = await here.issue('read');
    expect(none).toBeUndefined();
    const statusOf = async (url: string, method = 'GET'): Promise<number> => {
      const response = await fetch(url, { method });
      const text = await response.text();
      expect(text).not.toContain('fm_');
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      return response.status;
    };
    expect(await statusOf(`${address}/feeds/orders.atom`)).toBe(200);
    expect(await statusOf(`${address}/feeds/other.atom`)).toBe(403);
    expect(await statusOf(`${address}/feeds/none/none/none`)).toBe(404);
    expect(await statusOf(`${address}/v1/collections/orders`)).toBe(404);
    expect(await statusOf(`${address}/`)).toBe(404);
    expect(await statusOf(`${address}/feeds/../v1/keys`)).toBe(404);
    expect(await statusOf(`${here.url}/r/${reading}/feeds/orders.atom`)).toBe(401);
    expect(await statusOf(`${here.url}/r/${here.administrator}/feeds/orders.atom`)).toBe(404);
    expect(await statusOf(`${here.url}/r/fm_0123456789abcdef_${'A'.repeat(43)}/feeds/orders.atom`)).toBe(401);
  });
});
