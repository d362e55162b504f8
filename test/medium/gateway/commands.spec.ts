import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Queue } from 'bullmq';
import { collectionKey, itemId, subscriptionId } from '#core';
import { problemIn } from './gateway-under-test.ts';
import { until } from '../../support/until.ts';
import { useGateway } from './use-gateway.ts';

const orders = collectionKey('orders');

interface LetterAnswer {
  readonly id: string;
  readonly collection: string;
  readonly kind: string;
  readonly command?: { readonly name: string; readonly data: unknown };
  readonly violations: readonly { readonly message: string; readonly rule: string }[];
}

const gateway = useGateway();
let commands: Queue;
beforeAll(async () => {
  commands = new Queue('commands', { connection: { url: gateway.redisUrl }, prefix: '{feedmesh}' });
  await gateway.send('PUT', '/v1/collections/orders');
});
afterAll(() => commands.close());

async function letters(query = ''): Promise<LetterAnswer[]> {
  return (
    (await (await gateway.send('GET', `/v1/dead-letters?${query}`)).json()) as { items: LetterAnswer[] }
  ).items;
}

async function findLetter(name: string, data: unknown): Promise<LetterAnswer | undefined> {
  const sent = JSON.stringify([name, data]);
  return (await letters()).find(({ command }) => JSON.stringify([command?.name, command?.data]) === sent);
}

/** Waits for the dead letter of a command. */
async function letterOf(name: string, data: unknown): Promise<LetterAnswer> {
  return until(() => findLetter(name, data));
}

describe('a command', () => {
  test('subscribes, refreshes and unsubscribes', async () => {
    const subscription = async () => gateway.store.subscriptions.find(orders, subscriptionId('shop'));
    await commands.add('subscribe', {
      collection: 'orders',
      subscription: 'shop',
      url: 'https://shop.example/feed',
      interval: { minimum: 10, maximum: 20 },
    });
    await until(async () => (await subscription()) !== undefined);
    expect(await subscription()).toMatchObject({
      url: 'https://shop.example/feed',
      interval: { minimum: 10, maximum: 20 },
    });
    await commands.add('refresh', { collection: 'orders', subscription: 'shop' });
    await until(async () => (await subscription())?.nextFetchReason === 'it was requested');
    await commands.add('unsubscribe', { collection: 'orders', subscription: 'shop' });
    await until(async () => (await subscription()) === undefined);
  });

  test('edits an item, step by step', async () => {
    const item = async () =>
      (await gateway.store.items.load(orders, [itemId('order-1')])).get(itemId('order-1'));
    const steps: [object, number][] = [
      [{ action: 'create', id: 'order-1', item: { title: 'Tea' } }, 1],
      [{ action: 'update', id: 'order-1', ifMatch: '"1"', item: { title: 'Coffee' } }, 2],
      [{ action: 'delete', id: 'order-1' }, 3],
      [{ action: 'undelete', id: 'order-1' }, 4],
    ];
    for (const [step, revision] of steps) {
      await commands.add('edit', { collection: 'orders', ...step });
      await until(async () => (await item())?.revision === revision);
    }
    expect(await item()).toMatchObject({ content: { sync: { updates: 4, deleted: false } } });
    expect(await (await gateway.send('GET', '/v1/collections/orders/items/order-1')).json()).toMatchObject({
      title: 'Coffee',
    });
  });

  test.each([
    ['a number', 1],
    ['a number as text', '1'],
    ['an entity tag', '"1"'],
    ['any', '*'],
  ])('takes for ifMatch %s', async (what, ifMatch) => {
    const id = itemId(`matched-${what.replaceAll(' ', '-')}`);
    const item = async () => (await gateway.store.items.load(orders, [id])).get(id);
    await gateway.send('POST', '/v1/collections/orders/items', { id, title: 'Tea' });
    await commands.add('edit', {
      collection: 'orders',
      action: 'update',
      id,
      ifMatch,
      item: { title: 'Coffee' },
    });
    await until(async () => (await item())?.revision === 2);
    const stale = {
      collection: 'orders',
      action: 'update',
      id,
      ifMatch: ifMatch === '*' ? 'W/"2"' : ifMatch,
      item: { title: 'Milk' },
    };
    await commands.add('edit', stale);
    expect((await letterOf('edit', stale)).violations).toMatchObject([
      { message: expect.stringContaining('at revision 2') },
    ]);
    expect((await item())?.revision).toBe(2);
  });

  test('for a former revision of an item goes to the dead letters, and the item stays as it is', async () => {
    const item = async () =>
      (await gateway.store.items.load(orders, [itemId('order-3')])).get(itemId('order-3'));
    const url = '/v1/collections/orders/items';
    const expectRefused = async (edit: object): Promise<void> => {
      const data = { collection: 'orders', ...edit, id: 'order-3', ifMatch: '"1"' };
      const before = await item();
      await commands.add('edit', data);
      // If it is not refused, it is made.
      const isMade = async () => (await item())?.revision !== before?.revision;
      await until(async () => (await isMade()) || (await findLetter('edit', data)) !== undefined);
      expect(await item()).toEqual(before);
      const letter = await findLetter('edit', data);
      expect(letter).toMatchObject({ violations: [{ message: expect.stringContaining('revision') }] });
    };
    await gateway.send('POST', url, { id: 'order-3', title: 'Tea' });
    await gateway.send('PUT', `${url}/order-3`, { title: 'Coffee' });
    await expectRefused({ action: 'update', item: { title: 'Milk' } });
    await expectRefused({ action: 'delete' });
    await expectRefused({ action: 'resolve', resolution: { keep: 'winner' } });
    await gateway.send('DELETE', `${url}/order-3`);
    await expectRefused({ action: 'undelete' });
    expect(await item()).toMatchObject({ revision: 3, deleted: true });
  });

  test('deletes an item with its data', async () => {
    const item = async () =>
      (await gateway.store.items.load(orders, [itemId('order-2')])).get(itemId('order-2'));
    await gateway.send('POST', '/v1/collections/orders/items', { id: 'order-2', title: 'Tea' });
    await commands.add('edit', {
      collection: 'orders',
      action: 'delete',
      id: 'order-2',
      item: { data: 'remove' },
    });
    await until(async () => (await item())?.deleted === true);
    expect((await item())?.content.data.children).toEqual([]);
  });

  test.each([
    ['edit', { collection: 'orders', action: 'delete', id: 'order-1', item: { data: 'burn' } }, 'body.data'],
    ['subscribe', { collection: 'orders', url: 'nowhere' }, 'url'],
    ['refresh', { collection: 'orders', subscription: 'nobody' }, 'no subscription "nobody"'],
    ['edit', { collection: 'orders', action: 'update', item: { title: 'x' } }, 'data.id'],
    ['edit', { collection: 'orders', action: 'update', id: 'nobody', item: { titel: 'x' } }, 'titel'],
    ['edit', { collection: 'nowhere', action: 'delete', id: 'x' }, 'no collection "nowhere"'],
    [
      'edit',
      { collection: 'orders', action: 'delete', id: 'order-1', ifMatch: 'seven' },
      'ifMatch: a revision is a number such as 7',
    ],
    [
      'edit',
      { collection: 'orders', action: 'delete', id: 'order-1', ifMatch: 1.5 },
      'ifMatch: a revision is a number such as 7',
    ],
    [
      'edit',
      { collection: 'orders', action: 'delete', id: 'order-1', ifMatch: true },
      'ifMatch: a revision is a number such as 7',
    ],
    ['dance', { collection: 'orders' }, 'unknown command'],
    ['subscribe', 'not even an object', 'object'],
  ])('%s with %j goes to the dead letters with its reason', async (name, data, reason) => {
    await commands.add(name, data);
    const letter = await letterOf(name, data);
    expect(letter).toMatchObject({
      kind: 'command',
      violations: [{ message: expect.stringContaining(reason) }],
    });
  });

  test('that is bad twice is one dead letter', async () => {
    const data = { collection: 'orders', subscription: 'twice-nobody' };
    await commands.add('refresh', data);
    await letterOf('refresh', data);
    await commands.add('refresh', data);
    await until(
      async () =>
        (await commands.getJobCounts('wait', 'active', 'delayed'))['wait'] === 0 &&
        (await commands.getActiveCount()) === 0,
    );
    expect(
      (await letters('collection=orders')).filter(
        ({ command }) => JSON.stringify(command?.data) === JSON.stringify(data),
      ),
    ).toHaveLength(1);
  });
});

describe('a dead letter', () => {
  test('of a command is run again, and goes once it succeeds', async () => {
    const data = { collection: 'late', url: 'https://late.example/feed', subscription: 'late' };
    await commands.add('subscribe', data);
    const { id } = await letterOf('subscribe', data);
    expect(await problemIn(await gateway.send('POST', `/v1/dead-letters/${id}/retry`))).toMatchObject({
      status: 404,
      rule: 'collection-not-found',
    });
    await gateway.send('PUT', '/v1/collections/late');
    expect((await gateway.send('POST', `/v1/dead-letters/${id}/retry`)).status).toBe(204);
    expect((await gateway.send('GET', '/v1/collections/late/subscriptions/late')).status).toBe(200);
    expect(await letters('collection=late')).toEqual([]);
  });

  test('of an item that is still bad stays, with its reasons', async () => {
    const violations = [
      {
        rule: 'sync-updates',
        section: 'FeedSync 2.4',
        message: 'updates is 0',
        severity: 'error' as const,
        line: 3,
        column: 4,
      },
    ];
    const xml =
      '<entry xmlns="http://www.w3.org/2005/Atom" xmlns:sx="http://feedsync.org/2007/feedsync">' +
      '<sx:sync id="bad" updates="0"><sx:history sequence="1" by="x"/></sx:sync></entry>';
    await gateway.store.deadLetters.add([
      {
        id: 'orders.bad',
        collection: orders,
        subscription: subscriptionId('shop'),
        kind: 'item',
        fragment: { xml, line: 3, column: 4, id: 'bad' },
        violations,
        at: new Date(),
      },
    ]);
    expect(await problemIn(await gateway.send('POST', '/v1/dead-letters/orders.bad/retry'))).toMatchObject({
      status: 422,
      rule: 'rejected-again',
      violations: [{ rule: 'sync-updates' }],
    });
    expect((await letters('collection=orders')).map(({ id }) => id)).toContain('orders.bad');
  });

  test('that there is not cannot be retried', async () => {
    expect(await problemIn(await gateway.send('POST', '/v1/dead-letters/nothing/retry'))).toMatchObject({
      status: 404,
      rule: 'dead-letter-not-found',
    });
  });

  test('is discarded, once', async () => {
    await gateway.store.deadLetters.add([
      {
        id: 'orders.unwanted',
        collection: orders,
        kind: 'command',
        command: { name: 'dance', data: {} },
        violations: [],
        at: new Date(),
      },
    ]);
    expect((await gateway.send('DELETE', '/v1/dead-letters/orders.unwanted')).status).toBe(204);
    expect((await letters('collection=orders')).map(({ id }) => id)).not.toContain('orders.unwanted');
    expect(await problemIn(await gateway.send('DELETE', '/v1/dead-letters/orders.unwanted'))).toMatchObject({
      status: 404,
      rule: 'dead-letter-not-found',
    });
  });

  test('is listed in pages, by collection', async () => {
    await gateway.store.deadLetters.add(
      ['a', 'b', 'c'].map((id) => ({
        id: `listed.${id}`,
        collection: collectionKey('listed'),
        kind: 'command' as const,
        violations: [],
        at: new Date(),
      })),
    );
    const first = (await (
      await gateway.send('GET', '/v1/dead-letters?collection=listed&limit=2')
    ).json()) as { items: LetterAnswer[]; next: string };
    expect(first.items.map(({ id }) => id)).toEqual(['listed.a', 'listed.b']);
    expect((await letters(`collection=listed&cursor=${first.next}`)).map(({ id }) => id)).toEqual([
      'listed.c',
    ]);
    expect(await problemIn(await gateway.send('GET', '/v1/dead-letters?collection=UPPER'))).toMatchObject({
      status: 400,
      errors: [{ path: 'query.collection' }],
    });
  });
});
