import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { itemUrl } from '#protocol';
import { collectionKey, itemId } from '#core';
import { content, write } from '../../acceptance/store/samples.ts';
import { httpClients } from '../../support/http-clients.ts';
import { problemIn } from './gateway-under-test.ts';
import { useGateway } from './use-gateway.ts';

/** Ids that some client, proxy or server makes something else of. */
const ids = [
  '.',
  '..',
  '...',
  'a/..',
  '../..',
  '%2e',
  '%2e%2e',
  '/',
  'a/b',
  '//',
  '\\',
  'a\\..',
  '%',
  '%%',
  '100%',
  '%2',
  '%00',
  '%252e',
  '~',
  '~AC4',
  '\0',
  'a\tb',
  '\r\n',
  '\u007f',
  '\u0085',
  ' ',
  '?',
  'a?b',
  '#',
  'a#b',
  ';',
  'a;b=c',
  '+',
  '&',
  '[1-3]',
  '{a,b}',
  '*',
  'Straße',
  '新聞',
  '😀',
  'e\u0301',
  '\u202e',
  '\ufeff',
  'tag:example.org,2026:/a?b#c',
  'a'.repeat(4096),
  '/'.repeat(4096),
  '新'.repeat(4096),
];

const gateway = useGateway();

/** Makes a collection with these items, as if they had come in feeds. */
async function makeCollection(name: string, wanted: readonly string[]): Promise<void> {
  expect((await gateway.send('PUT', `/v1/collections/${name}`)).status).toBe(201);
  expect(
    await gateway.store.items.compareAndSet(
      wanted.map((id) => write(collectionKey(name), id, 0, { content: content(id) })),
    ),
  ).toEqual([]);
}

describe('the address of an item', () => {
  test('arrives as it is from every client', async () => {
    const targets: string[] = [];
    const echo = createServer((request, response) => {
      targets.push(request.url ?? '');
      response.end('{}');
    });
    await once(echo.listen(0, '127.0.0.1'), 'listening');
    const origin = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
    const urls = [...ids, '\ud800', 'a\udc00'].map((id) => itemUrl(origin, collectionKey('c'), itemId(id)));
    for (const { name, send } of await httpClients()) {
      targets.length = 0;
      await send('DELETE', urls);
      expect([name, targets]).toEqual([name, urls.map((url) => url.slice(origin.length))]);
    }
    echo.close();
  });

  test('leads to this item and to no other', async () => {
    await makeCollection('awkward', ids);
    for (const id of ids) {
      const response = await gateway.send('GET', itemUrl(gateway.url, collectionKey('awkward'), itemId(id)));
      expect([response.status, ((await response.json()) as { id: string }).id]).toEqual([200, id]);
    }
  });

  test('is what a new item is said to be at', async () => {
    await gateway.send('PUT', '/v1/collections/made');
    for (const id of ['..', '.', 'urn:a:b%2Fc', 'plain']) {
      const response = await gateway.send('POST', '/v1/collections/made/items', { id, title: 'x' });
      expect([response.status, response.headers.get('location')]).toEqual([
        201,
        itemUrl(gateway.url, collectionKey('made'), itemId(id)),
      ]);
      const read = await gateway.send('GET', response.headers.get('location') ?? '');
      expect(((await read.json()) as { id: string }).id).toBe(id);
    }
  });

  test('may also have the id percent-encoded, unless it is only dots or begins with "~"', async () => {
    const readable = ids.filter((id) => id.length < 1000 && !/^(?:~|\.{0,2}$)/.test(id));
    await makeCollection('encoded', ids);
    for (const id of readable) {
      const response = await gateway.send('GET', `/v1/collections/encoded/items/${encodeURIComponent(id)}`);
      expect([response.status, ((await response.json()) as { id: string }).id]).toEqual([200, id]);
    }
  });

  test.each(['~', '~AC4A', '~AAB', '~2AA', '%7E!'])('with the segment %s leads nowhere', async (segment) => {
    await gateway.send('PUT', '/v1/collections/nowhere');
    const problem = await problemIn(await gateway.send('GET', `/v1/collections/nowhere/items/${segment}`));
    expect(problem).toMatchObject(
      segment === '~'
        ? { status: 404, rule: 'item-not-found' }
        : { status: 400, rule: 'invalid-input', errors: [{ path: 'path.id' }] },
    );
  });
});

describe('a rewritten path', () => {
  test('removes no collection: every client resolves /items/.. to the collection with a slash', async () => {
    await makeCollection('kept', ['..', 'a']);
    const resolved = ['items/..', 'items/%2e%2e', 'items/a/../..', 'subscriptions/..', '', 'items/../'].map(
      (path) => `${gateway.url}/v1/collections/kept/${path}`,
    );
    for (const { send } of (await httpClients()).filter(({ name }) => ['fetch', 'curl'].includes(name)))
      await send('DELETE', resolved);
    expect((await gateway.send('GET', '/v1/collections/kept')).status).toBe(200);
    const problem = await problemIn(await gateway.send('DELETE', '/v1/collections/kept/items/..'));
    expect(problem).toMatchObject({ status: 404, rule: 'rewritten-path', instance: '/v1/collections/kept/' });
  });

  test.each([
    ['POST', 'items/'],
    ['POST', 'items//undelete'],
    ['PUT', 'items/'],
    ['DELETE', 'items/'],
    ['PUT', ''],
    ['POST', 'subscriptions/'],
    ['DELETE', 'subscriptions/'],
    ['POST', 'subscriptions//refresh'],
  ])('with an empty segment changes nothing: %s %s', async (method, path) => {
    await makeCollection('same', []).catch(() => undefined);
    const problem = await problemIn(
      await gateway.send(
        method,
        `/v1/collections/same/${path}`,
        method === 'DELETE' ? undefined : { title: 'changed' },
      ),
    );
    expect(problem).toMatchObject({ status: 404, rule: 'rewritten-path' });
    expect(
      ((await (await gateway.send('GET', '/v1/collections/same/items')).json()) as { items: unknown[] })
        .items,
    ).toEqual([]);
    expect(await (await gateway.send('GET', '/v1/collections/same')).json()).toMatchObject({ title: 'same' });
  });

  test('may still be read', async () => {
    await gateway.send('PUT', '/v1/collections/readable');
    expect((await gateway.send('GET', '/v1/collections/readable/')).status).toBe(200);
  });
});
