import { beforeEach, describe, expect, test } from '@jest/globals';
import { createMemoryEventStream, createMemoryQueue, createMemoryStore, sampleCollection } from '#in-memory';
import { collectionKey, itemId, UnavailableError } from '#core';
import type { ChangeBlock, Collection, PublishBacklog, Store } from '#core';
import { requestPublish } from '#contracts';
import { editItem } from '#items';
import { payloadFromFields } from '#xml';
import { publishCollection } from './publish-collection.ts';
import { publishInterrupted, publishPending, unrelayedSearch } from './reconcile-publications.ts';

const key = collectionKey('todo');
const publicUrl = 'http://here.example';

let time = new Date('2026-01-01T00:00:00Z');
const clock = { now: () => time, wait: () => Promise.resolve() };
let store: Store;
let queue: ReturnType<typeof createMemoryQueue>;
let stream: ReturnType<typeof createMemoryEventStream>;

beforeEach(async () => {
  [store, queue, stream] = [createMemoryStore({ clock }), createMemoryQueue(), createMemoryEventStream()];
  await store.collections.create(
    sampleCollection({
      key,
      createdAt: time,
      settings: { expiresAfter: 3600 },
    }),
  );
  const collection = await store.collections.find(key);
  if (collection === undefined) throw new Error('there is no collection');
  const ids = ['a', 'b'].map(itemId);
  for (const id of ids)
    await editItem({ store, now: () => time, publicUrl }, collection, id, {
      action: 'create',
      id,
      payload: payloadFromFields('atom', { title: id }),
    });
});

function publish(
  holder: string,
  ports: {
    store?: Store;
    stream?: typeof stream;
    left?: Map<typeof key, string>;
    backlog?: PublishBacklog;
    released?: Map<typeof key, number>;
  } = {},
): Promise<void> {
  return publishCollection(
    { store, stream, clock, publicUrl, holder, ...ports },
    { block: 500, lease: 15_000, retention: 1000 },
    { version: 1, collection: key },
  );
}

/** Delivers what the search has requested. */
async function searchAndDeliver(search: typeof publishInterrupted = publishInterrupted): Promise<number> {
  await search({ store, queue });
  let delivered = 0;
  while (await queue.deliver({ publish: () => publish(`holder ${(delivered += 1)}`) }));
  return delivered;
}

/** A store with one method of a port replaced. */
function replaced<Port extends keyof Store, Name extends keyof Store[Port]>(
  base: Store,
  port: Port,
  name: Name,
  method: Store[Port][Name],
): Store {
  const changed = new Proxy(base[port], {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (property === name) return method;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { ...base, [port]: changed };
}

const dies = (): never => {
  throw new Error('the publisher dies');
};

const relayed = (): string[] => stream.events.map(({ subject }) => subject).toSorted();

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((next) => setImmediate(next));
}

/** Appends a block and dies. */
async function appendAndDie(block: ChangeBlock): Promise<never> {
  await store.changes.append(block);
  return dies();
}

test.each([
  ['before the log', () => ({ store: replaced(store, 'changes', 'append', dies) })],
  ['behind the log', () => ({ store: replaced(store, 'changes', 'append', appendAndDie) })],
  ['before the items', () => ({ store: replaced(store, 'items', 'markPublished', dies) })],
  ['before the publication', () => ({ store: replaced(store, 'collections', 'advance', dies) })],
  ['before the stream', () => ({ store, stream: { ...stream, append: dies } })],
  ['before the end of its lease', () => ({ store: replaced(store, 'collections', 'release', dies) })],
])('what a publisher leaves that dies %s is found once its lease has run out', async (_when, dying) => {
  const ports = dying();
  // Nor does it get to abandon its lease.
  const dead = { ...ports, store: replaced(ports.store, 'collections', 'abandon', dies) };
  await expect(publish('one', dead)).rejects.toThrow('the publisher dies');
  expect(await searchAndDeliver()).toBe(0);
  time = new Date(time.getTime() + 15_000);
  expect(await searchAndDeliver()).toBe(1);
  expect(relayed()).toEqual(['a', 'b']);
  expect((await store.collections.find(key))?.publication).toMatchObject({ sequence: 2, relayed: 2 });
  expect(await searchAndDeliver()).toBe(0);
});

describe('of a publisher of named items, which takes a vacant lease beside the log', () => {
  let backlog: ReturnType<typeof createMemoryQueue>;
  beforeEach(async () => {
    backlog = createMemoryQueue();
    await backlog.send([requestPublish(key, ['a', 'b'].map(itemId))]);
  });

  const isTaken = async (): Promise<boolean> => (await store.collections.vacant(key)) === undefined;
  /** The one without the other: each may be stored alone. */
  const withoutLease = async (): Promise<never> => {
    await until(async () => (await store.changes.last(key)) !== undefined);
    return dies();
  };
  const withoutBlock = async (): Promise<never> => {
    await until(isTaken);
    return dies();
  };

  const deaths: [when: string, dying: () => { store: Store; stream?: typeof stream }][] = [
    ['before both', () => ({ store: replaced(store, 'items', 'pendingAmong', dies) })],
    ['with a lease and no block', () => ({ store: replaced(store, 'changes', 'append', withoutBlock) })],
    [
      'with a block and no lease',
      () => ({ store: replaced(store, 'collections', 'takeVacant', withoutLease) }),
    ],
    ['behind both', () => ({ store: replaced(store, 'changes', 'append', appendAndDie) })],
    ['before the items', () => ({ store: replaced(store, 'items', 'markPublished', dies) })],
    ['before the publication', () => ({ store: replaced(store, 'collections', 'advance', dies) })],
    ['before the stream', () => ({ store, stream: { ...stream, append: dies } })],
    ['before the end of its lease', () => ({ store: replaced(store, 'collections', 'release', dies) })],
  ];

  const die = async (dying: ReturnType<(typeof deaths)[number][1]>): Promise<void> => {
    const dead = { ...dying, backlog, store: replaced(dying.store, 'collections', 'abandon', dies) };
    await expect(publish('one', dead)).rejects.toThrow('the publisher dies');
  };

  const expectPublished = async (): Promise<void> => {
    expect(relayed()).toEqual(['a', 'b']);
    expect((await store.collections.find(key))?.publication).toMatchObject({ sequence: 2, relayed: 2 });
    expect(await store.items.pending(key, 10)).toEqual([]);
    expect(await store.collections.vacant(key)).toBeDefined();
  };

  test.each(deaths)('what is left if it dies %s is found by the searches', async (_when, dying) => {
    await die(dying());
    time = new Date(time.getTime() + 15_000);
    await searchAndDeliver(publishPending);
    await searchAndDeliver();
    await expectPublished();
    expect(await searchAndDeliver()).toBe(0);
  });

  test.each(deaths)('what is left if it dies %s is finished by the same requests', async (_when, dying) => {
    await die(dying());
    time = new Date(time.getTime() + 15_000);
    await publish('two', { backlog });
    // Where they were forgotten already, by its lease.
    await searchAndDeliver();
    await expectPublished();
  });

  test.each<[what: string, replace: (former: Collection) => Promise<unknown>]>([
    [
      'settings',
      ({ title, settings }) =>
        store.collections.update(key, { title, settings: { ...settings, windowItems: 7 } }),
    ],
    ['identifier', ({ endpoint }) => store.collections.renewEndpoint(key, endpoint, `${endpoint}:new`)],
    ['holder', () => publish('two')],
  ])('a lease is not taken by what another %s has replaced', async (_what, replace) => {
    const former = (await store.collections.find(key)) as Collection;
    const pendingAmong = async (...request: Parameters<Store['items']['pendingAmong']>) => {
      const pending = await store.items.pendingAmong(...request);
      await replace(former);
      return pending;
    };
    await publish('one', { backlog, store: replaced(store, 'items', 'pendingAmong', pendingAmong) });
    await searchAndDeliver();
    await expectPublished();
    expect(await backlog.requested(key, 10)).toEqual({ ids: [], everything: 0 });
  });

  test('what was read before another publication is read again', async () => {
    const released = new Map<typeof key, number>();
    await publish('one', { backlog, released });
    await store.items.publishAgain(key);
    await backlog.send([requestPublish(key, [itemId('a')])]);
    const vacant = async (of: typeof key) => {
      await publish('two');
      return store.collections.vacant(of);
    };
    await publish('one', { backlog, released, store: replaced(store, 'collections', 'vacant', vacant) });
    expect(relayed()).toEqual(['a', 'a', 'b', 'b']);
    await store.items.publishAgain(key);
    await backlog.send([requestPublish(key, [itemId('a')])]);
    await publish('one', { backlog, released });
    await backlog.send([requestPublish(key, [itemId('b')])]);
    await publish('one', { backlog, released });
    expect(relayed()).toEqual(['a', 'a', 'a', 'b', 'b', 'b']);
  });

  test('no lease is taken for what is published already', async () => {
    await publish('one');
    await publish('two', { backlog, store: replaced(store, 'collections', 'takeVacant', dies) });
    expect(await backlog.requested(key, 10)).toEqual({ ids: [], everything: 0 });
    await expectPublished();
  });
});

test('a publisher that fails ends its lease, and what it leaves is found at once', async () => {
  const failing = { stream: { ...stream, append: dies } };
  await expect(publish('one', failing)).rejects.toThrow('the publisher dies');
  expect(await searchAndDeliver()).toBe(1);
  expect(relayed()).toEqual(['a', 'b']);
});

test('a publisher from which MongoDB goes away ends its lease when it comes back', async () => {
  const left = new Map<typeof key, string>();
  const away = (): never => {
    throw new UnavailableError('MongoDB', 'no primary', 'unknown');
  };
  const append = replaced(store, 'changes', 'append', away);
  await expect(
    publish('one', { left, store: replaced(append, 'collections', 'abandon', away) }),
  ).rejects.toThrow(UnavailableError);
  const { epoch } = (await store.collections.lease(key, 'one', 15_000)) ?? { epoch: 0 };
  await expect(
    publish('two', { left, store: replaced(store, 'collections', 'lease', away) }),
  ).rejects.toThrow(UnavailableError);
  await publish('three', { left });
  expect(relayed()).toEqual(['a', 'b']);
  expect((await store.collections.lease(key, 'four', 15_000))?.epoch).toBe(epoch + 2);
});

test('a lease that may have been taken when MongoDB went away is ended when it comes back', async () => {
  const left = new Map<typeof key, string>();
  const take = async (...lease: Parameters<Store['collections']['take']>): Promise<never> => {
    await store.collections.take(...lease);
    throw new UnavailableError('MongoDB', 'no primary', 'unknown');
  };
  await expect(publish('one', { left, store: replaced(store, 'collections', 'take', take) })).rejects.toThrow(
    UnavailableError,
  );
  await publish('two', { left });
  expect(relayed()).toEqual(['a', 'b']);
});

test(
  'a block is found that a paused publisher appends although another one, which had nothing to publish, ' +
    'has taken over and ended',
  async () => {
    const append = async (block: ChangeBlock): Promise<boolean> => {
      time = new Date(time.getTime() + 60_000);
      const items = await store.items.load(key, ['a', 'b'].map(itemId));
      await store.items.remove(key, [...items.values()]);
      await publish('two');
      return store.changes.append(block);
    };
    await publish('one', { store: replaced(store, 'changes', 'append', append) });
    expect(relayed()).toEqual([]);
    expect(await searchAndDeliver()).toBe(1);
    expect(relayed()).toEqual(['a', 'b']);
    expect(await store.collections.unrelayed()).toEqual([]);
    expect(await searchAndDeliver()).toBe(0);
  },
);

test('the first search finds what nobody could say was interrupted', async () => {
  const append = async (block: ChangeBlock): Promise<boolean> => {
    time = new Date(time.getTime() + 60_000);
    await store.items.remove(key, [...(await store.items.load(key, ['a', 'b'].map(itemId))).values()]);
    await publish('two');
    await store.changes.append(block);
    return dies();
  };
  const dead = replaced(replaced(store, 'changes', 'append', append), 'collections', 'abandon', dies);
  await expect(publish('one', { store: dead })).rejects.toThrow('the publisher dies');
  expect(await searchAndDeliver()).toBe(0);
  const search = unrelayedSearch();
  expect(await searchAndDeliver(search)).toBe(1);
  expect(relayed()).toEqual(['a', 'b']);
  expect(await searchAndDeliver(search)).toBe(0);
});
