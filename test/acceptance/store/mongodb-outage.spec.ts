import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { collectionKey, itemId, UnavailableError } from '#core';
import { connectStore, traceWrites } from '#store';
import type { OpenStore } from '#store';
import { CuttingProxy } from '../../support/cutting-proxy.ts';
import { PrivateMongodb } from '../../support/private-mongodb.ts';
import { until } from '../../support/until.ts';
import { deadLetter, write } from './samples.ts';

const todo = collectionKey('todo');

/** Short enough for a test, long enough for an operation on a busy machine. */
const limits = { answerTimeout: 2000, selectionTimeout: 2000 };

let mongodb: PrivateMongodb;
let store: OpenStore;

/** What a call fails with. */
async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'no failure',
    (error: unknown) => error,
  );
}

const unavailable = (stored: 'none' | 'unknown') =>
  expect.objectContaining({ name: 'UnavailableError', database: 'MongoDB', stored });

async function readAll(values: AsyncIterable<unknown>): Promise<void> {
  for await (const _value of values);
}

/** What a call comes to in the end: on a busy machine it may take longer than the short limits. */
async function patiently<Result>(call: () => Promise<Result>): Promise<Result> {
  const [result] = await until(() =>
    call().then(
      (value) => [value] as const,
      (error: unknown) => (error instanceof UnavailableError ? undefined : Promise.reject(error)),
    ),
  );
  return result;
}

/** What a check fails with, other than that a busy machine took longer than the short limits. */
const refusal = async (): Promise<unknown> =>
  until(
    () => failure(store.check()),
    (error) => !String(error).includes('timed out'),
  );

const deadLetters = async (): Promise<string[]> =>
  (await patiently(() => store.deadLetters.list({ limit: 10_000 }))).map(({ id }) => id);

const add = (id: string): Promise<void> => store.deadLetters.add([deadLetter(collectionKey('todo'), id)]);

/** A store with the short limits and the dead letter `before`, however long a busy machine takes for them. */
async function openPatiently(uri: string): Promise<OpenStore> {
  const connecting = connectStore({ uri, ...limits });
  ({ store } = connecting);
  await connecting.opened;
  await patiently(() => add('before'));
  return store;
}

describe('A MongoDB that goes away', () => {
  beforeEach(async () => {
    mongodb = await PrivateMongodb.start();
    store = await openPatiently(mongodb.uri);
  });
  afterEach(async () => {
    mongodb.thaw();
    await store.close();
    await mongodb.end();
  });

  test('by being killed: nothing is stored, and it goes on once it is back', async () => {
    await mongodb.kill();
    expect(await failure(store.deadLetters.find('before'))).toEqual(unavailable('none'));
    // A write over a connection of before may have been sent; by now the driver knows that nobody listens.
    await until(async () => String(await failure(store.deadLetters.find('before'))).includes('ECONNREFUSED'));
    expect(await failure(add('lost'))).toEqual(unavailable('none'));
    expect(await failure(readAll(store.items.published(todo, 0)))).toEqual(unavailable('none'));
    expect(await refusal()).toMatchObject({ message: expect.stringContaining('ECONNREFUSED') });
    await mongodb.restart();
    await patiently(() => add('after'));
    expect(await deadLetters()).toEqual(['after', 'before']);
  });

  test('without a word: what was sent may be stored, and a read stores nothing', async () => {
    await mongodb.freeze();
    // At the same time: after the first of them the driver knows that the server hangs, and sends nothing.
    const [read, written] = [failure(store.deadLetters.find('before')), failure(add('sent'))];
    expect(await read).toEqual(unavailable('none'));
    expect(await written).toEqual(unavailable('unknown'));
    expect(await failure(store.check())).toBeInstanceOf(UnavailableError);
    mongodb.thaw();
    await patiently(() => store.check());
  });

  test('without a word: edits that share a write may be stored, those that wait are not', async () => {
    const edit = async (id: string): Promise<unknown> =>
      failure(store.items.compareAndSet([write(todo, id)]));
    await mongodb.freeze();
    const sent = Promise.all(['a', 'b', 'c'].map(edit));
    // The bulk is sent at the end of a turn of the event loop.
    for (let turns = 0; turns < 3; turns += 1) await new Promise((turn) => setImmediate(turn));
    const waiting = Promise.all(['d', 'e'].map(edit));
    expect(await sent).toEqual(['a', 'b', 'c'].map(() => unavailable('unknown')));
    expect(await waiting).toEqual(['d', 'e'].map(() => unavailable('none')));
    mongodb.thaw();
    await patiently(() => store.check());
    expect((await patiently(() => store.items.load(todo, ['d', 'e'].map(itemId)))).size).toBe(0);
    await patiently(() => store.items.compareAndSet([write(todo, 'd')]));
  });

  test('in the middle of a piece of work: what it has written before stays written', async () => {
    const work = traceWrites(async () => {
      await add('first');
      await mongodb.kill();
      await store.deadLetters.find('first');
    });
    expect(await failure(work)).toEqual(unavailable('unknown'));
  });

  test('and is a secondary for a moment: every write that is acknowledged is there once', async () => {
    const steppedDown = mongodb.stepDown(1);
    const acknowledged: string[] = [];
    for (let number = 0; acknowledged.length < 20; number += 1) {
      const id = `during-${number}`;
      if ((await failure(add(id))) === 'no failure') acknowledged.push(id);
    }
    await steppedDown;
    await patiently(() => store.check());
    expect(await deadLetters()).toEqual(expect.arrayContaining(acknowledged));
  });

  test('and is a secondary for a moment: edits that come together are stored as was reported', async () => {
    const steppedDown = mongodb.stepDown(1);
    const reports = new Map<string, unknown>();
    const edit = async (id: string): Promise<void> => {
      const lost = await store.items.compareAndSet([write(todo, id)]).catch((error: unknown) => error);
      reports.set(id, lost instanceof UnavailableError ? lost.stored : lost);
    };
    for (let round = 0; round < 40 || [...reports.values()].at(-1) === 'none'; round += 1)
      await Promise.all(Array.from({ length: 10 }, (_, place) => edit(`${round}-${place}`)));
    await steppedDown;
    await patiently(() => store.check());
    const ids = [...reports.keys()].map(itemId);
    const stored = await patiently(() => store.items.load(todo, ids));
    for (const id of ids) {
      const outcome = reports.get(id);
      if (outcome === 'none') expect(stored.has(id)).toBe(false);
      else if (outcome !== 'unknown') expect([outcome, stored.get(id)?.revision]).toEqual([[], 1]);
    }
  });

  test('as a primary: a check says that it takes no writes, though it can be read', async () => {
    await mongodb.stepDown(600);
    expect(await patiently(() => store.deadLetters.find('before'))).toBeDefined();
    expect(await refusal()).toMatchObject({ message: expect.stringMatching(/primary/i) });
    await mongodb.command({ replSetFreeze: 0 });
    await patiently(() => store.check());
  });
});

test('A write whose response is lost has an unknown outcome, and may be stored', async () => {
  mongodb = await PrivateMongodb.start();
  const proxy = await CuttingProxy.open(mongodb.port);
  store = await openPatiently(mongodb.uri.replace(String(mongodb.port), String(proxy.port)));
  try {
    const cut = proxy.cutAfter('deadLetters');
    expect(await failure(add('answer-lost'))).toEqual(unavailable('unknown'));
    await cut;
    proxy.mend();
    await patiently(() => store.check());
    expect(await patiently(() => store.deadLetters.find('answer-lost'))).toBeDefined();
  } finally {
    await store.close();
    await proxy.close();
    await mongodb.end();
  }
});

describe('A store that is connected to before MongoDB is there', () => {
  beforeEach(async () => {
    mongodb = await PrivateMongodb.prepare();
  });
  afterEach(async () => {
    await store.close();
    await mongodb.end();
  });

  test('refuses with the reason until it is, and then works', async () => {
    const connecting = await until(async () => {
      const begun = connectStore({ uri: mongodb.uri, ...limits });
      ({ store } = begun);
      if (String(await failure(begun.attempted)).includes('ECONNREFUSED')) return begun;
      // A busy process may reach the limit of an attempt before it sees that it is refused.
      await store.close();
      return undefined;
    });
    expect(await failure(add('early'))).toEqual(unavailable('none'));
    expect(await refusal()).toMatchObject({ message: expect.stringContaining('ECONNREFUSED') });
    expect(await failure(readAll(store.items.published(todo, 0)))).toEqual(unavailable('none'));
    await mongodb.restart();
    await connecting.opened;
    await patiently(() => add('late'));
    expect(await deadLetters()).toEqual(['late']);
  });

  test('closes at once while it waits', async () => {
    ({ store } = connectStore({ uri: mongodb.uri, selectionTimeout: 600_000 }));
    await store.close();
    expect(await failure(add('closed'))).toEqual(unavailable('none'));
  });
});

test('A connection string that can never be used is not waited for', () => {
  expect(() => connectStore({ uri: 'mongodb://127.0.0.1/?retryWrites=maybe' })).toThrow('retryWrites');
});
