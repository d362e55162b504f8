import { expect, test } from '@jest/globals';
import type { DeletionView } from '#contracts';
import { collectionKey } from '#core';
import { createMemoryQueue } from '#in-memory';
import { systemClock, systemRandom } from '#service';
import { continueDeletion } from '../../../apps/merger/src/deletions/continue-deletion.ts';
import { problemIn } from './gateway-under-test.ts';
import { useGateway } from './use-gateway.ts';

const gateway = useGateway({ GATEWAY_DELETE_ITEMS: '5' });

const outlines = (count: number): string =>
  Array.from({ length: count }, (_, place) => `<outline text="${place}"/>`).join('');

/** Makes a collection with a folder of so many outlines and one after it; returns the path of the folder. */
async function folder(name: string, count: number): Promise<string> {
  const path = `/v1/collections/${name}`;
  await gateway.send('PUT', path, { format: 'opml' });
  const inside = `<outline text="Folder"><outline text="Deep">${outlines(count - 1)}</outline></outline>`;
  const xml = `<opml version="1.0"><head/><body>${inside}${outlines(1)}</body></opml>`;
  const put = await gateway.send('PUT', `${path}/outline`, xml, { 'content-type': 'text/x-opml' });
  expect(put.status).toBe(200);
  await gateway.publish(name);
  const [first] = await gateway.store.items.placesBelow(collectionKey(name), '', { limit: 1 });
  return `${path}/items/${encodeURIComponent(first?.id ?? '')}`;
}

/** Does what the merger would. */
async function work(name: string, { id }: Pick<DeletionView, 'id'>): Promise<void> {
  const ports = {
    store: gateway.store,
    queue: createMemoryQueue({ fraction: () => 0.5, lose: 0, repeat: 0 }),
    clock: systemClock,
    random: systemRandom,
    publicUrl: gateway.url,
  };
  const job = { version: 1, collection: collectionKey(name), deletion: id } as const;
  await continueDeletion(ports, { lease: 60_000, keep: 3_600_000 }, job);
}

const live = async (name: string): Promise<number> =>
  (await gateway.store.items.list(collectionKey(name), { limit: 1000, deleted: false })).length;

const changes = async (name: string): Promise<string[]> =>
  (await gateway.store.changes.read(collectionKey(name), 0, 1000)).map(({ type }) => type);

test('a branch as large as the setting is deleted by its request', async () => {
  const path = await folder('small', 5);
  const response = await gateway.send('DELETE', path);
  expect([response.status, await response.json()]).toMatchObject([200, { deleted: true }]);
  expect(await live('small')).toBe(1);
});

test('of a larger one the request deletes the root, and says where to see the rest go', async () => {
  const path = await folder('large', 20);
  const response = await gateway.send('DELETE', path);
  const begun = (await response.json()) as DeletionView;
  expect([response.status, response.headers.get('location')]).toEqual([202, begun.links.self]);
  expect(begun).toMatchObject({ state: 'in-progress', done: 0, total: 0, collection: 'large' });
  expect(begun.detail).toContain('GATEWAY_DELETE_ITEMS');
  expect(await (await gateway.send('GET', path)).json()).toMatchObject({ deleted: true });
  expect(await live('large')).toBe(20 + 1);
  const self = new URL(begun.links.self).pathname;
  expect(await (await gateway.send('GET', self)).json()).toEqual(begun);

  await work('large', begun);
  expect(await live('large')).toBe(1);
  const ended = (await (await gateway.send('GET', self)).json()) as DeletionView;
  expect(ended).toMatchObject({ state: 'done', done: 20, total: 20, endedAt: expect.any(String) });
  await gateway.publish('large');
  expect((await changes('large')).filter((type) => type === 'feedmesh.item.deleted.v1')).toHaveLength(21);
  expect(await problemIn(await gateway.send('GET', `${self}x`))).toMatchObject({ status: 404 });
});

test('sent again under its key it is the same deletion, also once it has ended', async () => {
  const path = await folder('keyed', 20);
  const send = async (): Promise<DeletionView> => {
    const response = await gateway.send('DELETE', path, undefined, { 'idempotency-key': 'once' });
    expect(response.status).toBe(202);
    return (await response.json()) as DeletionView;
  };
  const begun = await send();
  expect(await send()).toEqual(begun);
  await work('keyed', begun);
  expect(await send()).toMatchObject({ id: begun.id, state: 'done', done: 20 });
  expect(await live('keyed')).toBe(1);
});

test('one that is refused leaves everything as it is, and no deletion behind', async () => {
  const path = await folder('refused', 20);
  const response = await gateway.send('DELETE', path, undefined, { 'if-match': '"9"' });
  expect(await problemIn(response)).toMatchObject({
    status: 412,
    type: 'urn:feedmesh:problem:revision-mismatch',
  });
  expect(await live('refused')).toBe(22);
  expect(await gateway.store.branchDeletions.abandoned(10)).toEqual([]);
  const kept = await gateway.send('DELETE', `${path}?children=keep`);
  expect(kept.status).toBe(200);
  expect(await problemIn(await gateway.send('DELETE', path))).toMatchObject({ status: 409 });
  expect(await live('refused')).toBe(21);
});

test('the data goes with all of it if the request says so', async () => {
  const path = await folder('data', 20);
  const begun = (await (await gateway.send('DELETE', `${path}?data=remove`)).json()) as DeletionView;
  await work('data', begun);
  const items = await gateway.store.items.list(collectionKey('data'), { limit: 100 });
  const withData = items.filter(
    ({ deleted, content }) => deleted && JSON.stringify(content).includes('text='),
  );
  expect(withData).toEqual([]);
});

test('a request for a large branch reads as many documents whatever its size', async () => {
  const costs = [];
  for (const count of [50, 500]) {
    const path = await folder(`cost-${count}`, count);
    const operations = await gateway.operations(async () => {
      expect((await gateway.send('DELETE', path)).status).toBe(202);
    });
    costs.push(operations.reduce((sum, { documents }) => sum + documents, 0));
  }
  expect(costs[1]).toBe(costs[0]);
});
