import { beforeAll, expect, test } from '@jest/globals';
import { fetch } from 'undici';
import type { Response as ReadResponse } from 'undici';
import type { IssuedKeyView, Permission } from '#contracts';
import { untilRefused } from '../../support/until-refused.ts';
import { until } from '../../support/until.ts';
import { useGateway } from '../gateway/use-gateway.ts';
import { administrator, keysRequired } from '../../support/keys-required.ts';

const bytes = 'what is linked';
const gateway = useGateway(keysRequired);
const feed = '/feeds/news.rss';
/** Where the file is that an item of the feed links to, without and with its name. */
let files: readonly string[];

beforeAll(async () => {
  for (const name of ['news', 'other'])
    await asAdministrator('PUT', `/v1/collections/${name}`, { protocol: 'cse' });
  const type = { 'content-type': 'text/plain' };
  const stored = await asAdministrator('POST', '/v1/collections/news/files', bytes, type);
  const { digest } = (await stored.json()) as { digest: string };
  const item = { title: 'Tea', links: [{ file: digest, name: 'tea.txt' }] };
  await asAdministrator('POST', '/v1/collections/news/items', item);
  await gateway.publish('news');
  files = [`/files/news/${digest}`, `/files/news/${digest}/tea.txt`];
});

async function asAdministrator(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const authorization = `Bearer ${administrator}`;
  const response = await gateway.send(method, path, body, { ...headers, authorization });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return response;
}

async function issue(permission: Permission, collections: string): Promise<IssuedKeyView> {
  const body = { name: 'reader', grants: [{ permissions: [permission], collections }] };
  return (await (await asAdministrator('POST', '/v1/keys', body)).json()) as IssuedKeyView;
}

const basic = (password = ''): Record<string, string> => ({
  authorization: `Basic ${btoa(`me:${password}`)}`,
});
const get = (path: string, headers: Record<string, string> = {}) => fetch(gateway.url + path, { headers });

test('the files of a private feed are where it says, and need a key as it does', async () => {
  const { key = '' } = await issue('feeds', 'news');
  const { key: elsewhere = '' } = await issue('feeds', 'other');
  const text = await (await get(feed, basic(key))).text();
  expect(text).toContain(`>${gateway.url}${files[1]}<`);
  for (const path of [feed, ...files]) {
    expect([path, (await get(path)).status]).toEqual([path, 401]);
    expect([path, (await get(path, basic(elsewhere))).status]).toEqual([path, 403]);
    expect([path, (await get(path, basic('wrong'))).status]).toEqual([path, 401]);
  }
});

test.each<[string, (key: string, path: string) => Promise<ReadResponse>]>([
  ['by a secret address', (key, path) => get(`/r/${key}${path}`)],
  ['by Basic', (key, path) => get(path, basic(key))],
])('a reader gets a file %s until its key is revoked', async (_name, read) => {
  const { id, key = '' } = await issue('feeds', 'news');
  for (const path of files) {
    const response = await read(key, path);
    expect([response.status, await response.text()]).toEqual([200, bytes]);
    expect(response.headers.get('cache-control')).toContain('private');
    expect(response.headers.get('etag')).not.toContain(key);
  }
  await asAdministrator('DELETE', `/v1/keys/${id}`);
  await untilRefused(401, () => read(key, files[0] ?? ''));
});

test('a public feed has public files, and one that is private again private ones', async () => {
  const show = (visibility: string): Promise<Response> =>
    asAdministrator('PUT', '/v1/collections/news/visibility', { visibility });
  await show('public');
  for (const path of [feed, ...files]) await until(async () => (await get(path)).status === 200);
  await show('private');
  for (const path of [feed, ...files]) await until(async () => (await get(path)).status === 401);
});
