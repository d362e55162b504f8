import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { permissions } from '#contracts';
import type { IssuedKeyView, Permission } from '#contracts';
import { collectionKey, itemId } from '#core';
import type { DeadLetter } from '#core';
import { startGateway } from '../gateway/gateway-under-test.ts';
import type { GatewayUnderTest } from '../gateway/gateway-under-test.ts';
import { until } from '../../support/until.ts';
import { administrator, keysRequired } from '../../support/keys-required.ts';

const todo = collectionKey('todo');

let gateway: GatewayUnderTest;
let redis: Redis;
let commands: Queue;

async function start(more: Record<string, string> = {}): Promise<void> {
  gateway = await startGateway({ ...keysRequired, ...more });
  redis = new Redis(gateway.redisUrl, { maxRetriesPerRequest: null });
  commands = new Queue('commands', { connection: redis, prefix: '{feedmesh}' });
}

afterEach(async () => {
  await commands.close();
  redis.disconnect();
  await gateway.close();
});

const send = (method: string, path: string, body?: unknown): Promise<Response> =>
  gateway.send(method, path, body, { authorization: `Bearer ${administrator}` });

async function issue(permission: Permission, collections: string): Promise<string> {
  const body = { name: 'one', grants: [{ permissions: [permission], collections }] };
  const { key } = (await (await send('POST', '/v1/keys', body)).json()) as Required<IssuedKeyView>;
  return key;
}

const letters = (): Promise<DeadLetter[]> => gateway.store.deadLetters.list({ limit: 1000 });

const noCollection = 'There is no collection "none". PUT /v1/collections/none creates it.';

/** What commands demand; none of them can be run, because the collection does not exist. */
const demands = [
  ['subscribe', 'subscribe', { url: 'https://peer.example/feed' }],
  ['unsubscribe', 'subscribe', { subscription: 'peer' }],
  ['refresh', 'subscribe', { subscription: 'peer' }],
  ['edit', 'write', { action: 'create', item: { title: 'Tea' } }],
  ['edit', 'write', { action: 'update', id: 'a', item: { title: 'Tea' } }],
  ['edit', 'write', { action: 'delete', id: 'a' }],
  ['edit', 'write', { action: 'undelete', id: 'a' }],
  ['edit', 'resolve', { action: 'resolve', id: 'a', resolution: {} }],
] as const;

describe('a command where commands need a key', () => {
  beforeEach(() => start({ AUTH_COMMANDS: 'key' }));

  test('is run for those whom it declares, and for no others', async () => {
    const expected = new Map<string, string>();
    const add = async (name: string, data: object, reason: string): Promise<void> => {
      const mark = `sent-${expected.size}`;
      expected.set(mark, reason);
      await commands.add(name, { ...data, collection: 'none', mark });
    };
    for (const permission of permissions)
      for (const scope of ['none', 'no*', '*', 'other']) {
        const key = await issue(permission, scope);
        for (const [name, needed, data] of demands) {
          const isPermitted = (permission === needed || permission === 'admin') && scope !== 'other';
          const refusal = `The key "one" has no permission "${needed}" for the collection "none".`;
          await add(name, { ...data, key }, isPermitted ? noCollection : refusal);
        }
      }
    for (const [name, , data] of demands) {
      await add(name, data, 'A command has a key in `key` (setting AUTH_COMMANDS).');
      await add(name, { ...data, key: 'unknown' }, 'The key is unknown, expired or revoked.');
      await add(name, { ...data, key: administrator }, noCollection);
    }
    const found = await until(async () => {
      const all = await letters();
      return all.length === expected.size && all;
    });
    const reasons = new Map(
      found.map(({ command, violations }) => [
        (command as unknown as { data: { mark: string } }).data.mark,
        violations[0]?.message,
      ]),
    );
    expect(Object.fromEntries(reasons)).toEqual(Object.fromEntries(expected));
    expect(JSON.stringify(found)).not.toContain('"key"');
  });

  test('shows its key neither in the queue once it was tried, nor among the dead letters', async () => {
    await send('PUT', '/v1/collections/todo');
    const key = await issue('write', 'todo');
    const job = await commands.add('edit', {
      key,
      collection: 'todo',
      action: 'create',
      id: 'a',
      item: { title: 'Tea' },
    });
    await until(async () => (await gateway.store.items.load(todo, [itemId('a')])).has(itemId('a')));
    await until(async () => (await job.getState()) !== 'active');
    for (const name of await redis.keys('*')) {
      const type = await redis.type(name);
      const held = type === 'hash' ? JSON.stringify(await redis.hgetall(name)) : '';
      expect(held).not.toContain(key);
    }
  });

  test('has its key encrypted for itself alone while it is tried, and none once it is given up', async () => {
    await send('PUT', '/v1/collections/todo');
    const key = await issue('write', 'todo');
    const command = { collection: 'todo', action: 'create', id: 'a', item: { title: 'Tea' } };
    const { collections } = gateway.store;
    const find = collections.find.bind(collections);
    collections.find = () => Promise.reject(new Error('not found out'));
    const job = await commands.add('edit', { ...command, key });
    const sealed = await until(async () => {
      const kept = (await commands.getJob(job.id ?? '')) as { data: { key: string } } | undefined;
      return kept?.data.key.startsWith('sealed.') === true && kept.data.key;
    });
    // The same command, and others, with what somebody has read in Redis.
    const copies = [command, { ...command, id: 'b' }, { ...command, collection: 'other' }];
    for (const copy of copies) await commands.add('edit', { ...copy, key: sealed });
    await commands.add('refresh', { collection: 'todo', subscription: 's', key: sealed });
    const refused = await until(async () => {
      const all = await letters();
      return all.length === 4 && all;
    });
    for (const { violations } of refused)
      expect(violations[0]?.message).toBe('The key is unknown, expired or revoked.');
    for (const { data } of await commands.getFailed()) expect(data).toMatchObject({ key: 'removed' });
    // Who may write to Redis changes what the command does.
    await until(async () => (await job.getState()) === 'delayed');
    await job.updateData({ ...command, id: 'c', key: sealed });
    collections.find = find;
    await until(async () => (await letters()).length === 5);
    expect((await gateway.store.items.load(todo, ['a', 'b', 'c'].map(itemId))).size).toBe(0);
  });

  test('is made in a later attempt with its own key', async () => {
    await send('PUT', '/v1/collections/todo');
    const key = await issue('write', 'todo');
    const { collections } = gateway.store;
    const find = collections.find.bind(collections);
    collections.find = () => Promise.reject(new Error('not found out'));
    const job = await commands.add('edit', {
      collection: 'todo',
      action: 'create',
      id: 'a',
      item: { title: 'Tea' },
      key,
    });
    await until(async () => (await job.getState()) === 'delayed');
    collections.find = find;
    await until(async () => (await gateway.store.items.load(todo, [itemId('a')])).size > 0);
  });

  test.each<[string, (key: string) => object]>([
    ['under another name', (key) => ({ Key: key })],
    ['in a list', (key) => ({ key: [key] })],
    ['in an object', (key) => ({ key: { text: key } })],
    ['in another member', (key) => ({ subscription: key })],
    ['in an unknown member', (key) => ({ more: { deep: [key] } })],
    ['twice', (key) => ({ key, KEY: key })],
  ])('leaves no key that stands %s', async (_where, misplaced) => {
    const key = await issue('subscribe', 'none');
    await commands.add('refresh', { collection: 'none', ...misplaced(key) });
    const [letter] = await until(async () => {
      const all = await letters();
      return all.length > 0 && all;
    });
    const [failed] = await until(async () => {
      const all = await commands.getFailed();
      return all.length > 0 && all;
    });
    expect(JSON.stringify([letter, failed?.data])).not.toContain(key);
  });

  test('is tried again for the one who does so, who needs the permission of the command', async () => {
    const mark = 'again';
    await commands.add('subscribe', { collection: 'todo', mark, url: 'https://peer.example/feed' });
    const [letter] = await until(async () => {
      const all = await letters();
      return all.length > 0 && all;
    });
    await send('PUT', '/v1/collections/todo');
    const retry = async (key: string): Promise<number> =>
      (
        await gateway.send('POST', `/v1/dead-letters/${letter?.id}/retry`, undefined, {
          authorization: `Bearer ${key}`,
        })
      ).status;
    expect(await retry(await issue('write', 'todo'))).toBe(403);
    expect(await letters()).toHaveLength(1);
    expect(await retry(administrator)).toBe(204);
    expect(await letters()).toEqual([]);
  });
});

test('a command without a key is trusted by default, and one with a key is held against it', async () => {
  await start();
  await send('PUT', '/v1/collections/todo');
  const data = { collection: 'todo', action: 'create', item: { title: 'Tea' } };
  await commands.add('edit', { ...data, id: 'trusted' });
  await until(async () => (await gateway.store.items.load(todo, [itemId('trusted')])).size > 0);
  await commands.add('edit', { ...data, id: 'refused', key: await issue('read', 'todo') });
  const [letter] = await until(async () => {
    const all = await letters();
    return all.length > 0 && all;
  });
  expect(letter?.violations[0]?.message).toContain('has no permission "write"');
  expect((await gateway.store.items.load(todo, [itemId('refused')])).size).toBe(0);
});
