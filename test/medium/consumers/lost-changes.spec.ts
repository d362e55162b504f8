import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ChangeGapError, setPlace } from '#client';
import { collectionKey } from '#core';
import { until } from '../../support/until.ts';
import { ids, PublishedChanges, take } from './published-changes.ts';

let changes: PublishedChanges;
beforeEach(async () => {
  changes = await PublishedChanges.start();
  await changes.create('notes');
});
afterEach(() => changes.close());

/** What the next change is refused with. */
async function gapIn(reading: AsyncGenerator): Promise<ChangeGapError> {
  const error: unknown = await reading.next().then(
    ({ value }) => new Error(`got ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (!(error instanceof ChangeGapError)) throw error;
  return error;
}

test('changes that were trimmed while no consumer ran are read from the log', async () => {
  await changes.publish('notes', 1);
  const first = changes.consume();
  expect(await take(1, first)).toEqual(['notes:1']);
  await first.return(undefined);
  await changes.publish('notes', 500, { maximumLength: 100 });
  expect(await changes.redis.xlen(changes.key)).toBeLessThan(250);
  const second = changes.consume();
  expect(await take(501, second)).toEqual(ids('notes', 1, 501));
  await second.return(undefined);
});

test('trimmed changes that no later one follows are read from the log at the start', async () => {
  await changes.create('tasks');
  await changes.publish('notes', 3);
  const first = changes.consume();
  await take(2, first);
  await first.return(undefined);
  await changes.publish('tasks', 2);
  await changes.trim();
  const second = changes.consume();
  expect((await take(4, second)).toSorted()).toEqual(['notes:2', 'notes:3', 'tasks:1', 'tasks:2']);
  await second.return(undefined);
});

test('trimmed changes that no later one follows are read from the log while a consumer runs', async () => {
  await changes.publish('notes', 1);
  const reading = changes.consume({ batch: 1 });
  await take(1, reading);
  await changes.publish('notes', 3);
  await changes.trim();
  expect(await take(3, reading)).toEqual(ids('notes', 2, 4));
  await reading.return(undefined);
});

test('a running consumer misses nothing and gets nothing again when Redis is flushed', async () => {
  await changes.publish('notes', 5);
  const reading = changes.consume();
  await take(5, reading);
  const later = take(5, reading);
  await changes.redis.xinfo('GROUPS', changes.key);
  await changes.publish('notes', 3, { isRelayed: false });
  await changes.redis.flushdb();
  await changes.publish('notes', 2);
  expect(await later).toEqual(ids('notes', 6, 10));
  await reading.return(undefined);
});

test('a group that Redis has forgotten begins with the oldest change of the log', async () => {
  await changes.publish('notes', 5);
  const first = changes.consume();
  await take(3, first);
  await first.return(undefined);
  await changes.redis.flushdb();
  await changes.publish('notes', 1);
  const second = changes.consume();
  expect(await take(6, second)).toEqual(ids('notes', 1, 6));
  await second.return(undefined);
});

test('after an older state of Redis is restored, a group misses nothing', async () => {
  const keys = [changes.key, `{${changes.key}}:places:team`, `{${changes.key}}:relayed`];
  await changes.publish('notes', 4);
  const first = changes.consume();
  await take(3, first);
  await first.return(undefined);
  const saved = await Promise.all(keys.map((key) => changes.redis.dumpBuffer(key)));
  await changes.publish('notes', 4);
  const second = changes.consume();
  expect(await take(4, second)).toEqual(ids('notes', 3, 6));
  for (const [at, key] of keys.entries())
    await changes.redis.restore(key, 0, saved[at] ?? Buffer.of(), 'REPLACE');
  expect(await take(2, second)).toEqual(ids('notes', 7, 8));
  await changes.publish('notes', 1);
  expect(await take(1, second)).toEqual(['notes:9']);
  await second.return(undefined);
  const third = changes.consume();
  expect(await take(1, third)).toEqual(['notes:9']);
  await third.return(undefined);
});

test('places that were restored alone have changes delivered again, not left out', async () => {
  const places = `{${changes.key}}:places:team`;
  await changes.publish('notes', 4);
  const first = changes.consume();
  await take(2, first);
  await first.return(undefined);
  const saved = await changes.redis.dumpBuffer(places);
  const second = changes.consume();
  expect(await take(3, second)).toEqual(ids('notes', 2, 4));
  await second.return(undefined);
  await changes.redis.restore(places, 0, saved, 'REPLACE');
  await changes.publish('notes', 1);
  const third = changes.consume();
  expect(await take(4, third)).toEqual(ids('notes', 2, 5));
  await third.return(undefined);
});

test('a gap that the log no longer has is an error, after which a place can be set', async () => {
  await changes.publish('notes', 3);
  const first = changes.consume();
  await take(3, first);
  await first.return(undefined);
  await changes.publish('notes', 1_500, { maximumLength: 100 });
  await changes.gateway.store.changes.prune(collectionKey('notes'), 1_000);
  await changes.trim();
  const error = await gapIn(changes.consume());
  expect(error).toMatchObject({ collection: 'notes', from: '0000000000000003', to: expect.any(String) });
  expect(error.message).toContain('setPlace()');
  expect(error.message).toContain('/v1/collections/notes');
  const again = await gapIn(changes.consume());
  expect(again.message).toBe(error.message);
  const group = { redisUrl: changes.gateway.redisUrl, group: 'team' };
  await setPlace(group, 'notes', '0000000000001500');
  const second = changes.consume();
  expect(await take(3, second)).toEqual(ids('notes', 1_501, 1_503));
  await expect(setPlace(group, 'notes', '0000000000001500')).rejects.toThrow('running');
  await second.return(undefined);
  await expect(setPlace(group, 'notes', '1500')).rejects.toThrow('16 digits');
});

test('changes of a collection that is newer than the group are missed by their first sequence', async () => {
  await changes.publish('notes', 1);
  const first = changes.consume();
  await take(1, first);
  await first.return(undefined);
  await changes.create('imported');
  await changes.publish('imported', 1_200);
  await changes.gateway.store.changes.prune(collectionKey('imported'), 1_000);
  await changes.redis.xtrim(changes.key, 'MAXLEN', 100);
  await changes.publish('notes', 1);
  const second = changes.consume();
  const error = await take(1_000, second).catch((error: unknown) => error);
  expect(error).toMatchObject({ name: 'ChangeGapError', collection: 'imported', from: '0000000000000001' });
});

test('without a URL a gap is an error that names it', async () => {
  await changes.publish('notes', 1);
  const first = changes.consume();
  await take(1, first);
  await first.return(undefined);
  await changes.publish('notes', 2);
  await changes.trim();
  await changes.publish('notes', 1);
  const error = await gapIn(changes.consume({ url: undefined }));
  expect(error).toMatchObject({ collection: 'notes', to: '0000000000000003' });
  expect(error.message).toContain('`url`');
});

test('a collection that was removed and created again goes on without an error', async () => {
  await changes.publish('notes', 3);
  const reading = changes.consume();
  await take(3, reading);
  const later = take(2, reading);
  await changes.gateway.send('DELETE', '/v1/collections/notes');
  await changes.create('notes');
  await changes.publish('notes', 2);
  expect(await later).toEqual(['notes:4', 'notes:5']);
  await reading.return(undefined);
  await changes.trim();
  const another = changes.consume({ group: 'another' });
  expect(await take(2, another)).toEqual(['notes:4', 'notes:5']);
  await another.return(undefined);
  await changes.create('unseen');
  await changes.publish('unseen', 2);
  await changes.gateway.send('DELETE', '/v1/collections/unseen');
  await changes.create('unseen');
  await changes.publish('unseen', 1);
  await changes.trim();
  const last = changes.consume();
  expect((await take(2, last)).toSorted()).toEqual(['notes:5', 'unseen:3']);
  await last.return(undefined);
});

test('a new group begins with the newest change if asked to, and misses none after it', async () => {
  await changes.publish('notes', 3);
  const reading = changes.consume({ from: 'newest' });
  const next = take(3, reading);
  const hasBegun = async (): Promise<boolean> =>
    (await changes.redis.hget(`{${changes.key}}:places:team`, 'notes')) !== null;
  await until(hasBegun);
  await changes.publish('notes', 2, { isRelayed: false });
  await changes.publish('notes', 1);
  expect(await next).toEqual(ids('notes', 4, 6));
  await reading.return(undefined);
});

test('a consumer that comes back after its lock expired records nothing', async () => {
  await changes.publish('notes', 3);
  const paused = changes.consume();
  await take(1, paused);
  await changes.redis.set(`{${changes.key}}:reader:team`, 'other', 'PX', 60_000);
  const places = `{${changes.key}}:places:team`;
  const before = await changes.redis.hget(places, 'notes');
  const next = paused.next();
  const [pending] = (await changes.redis.xpending(changes.key, 'team')) as [number];
  expect(pending).toBe(3);
  expect(await changes.redis.hget(places, 'notes')).toBe(before);
  await changes.redis.del(`{${changes.key}}:reader:team`);
  expect((await next).value).toMatchObject({ sequence: '0000000000000002' });
  await paused.return(undefined);
});

describe('another installation', () => {
  let other: PublishedChanges;
  beforeEach(async () => {
    other = await PublishedChanges.start();
    await other.create('notes');
  });
  afterEach(() => other.close());

  /** Reads five changes with a group of the first one. */
  async function readFive(): Promise<void> {
    await changes.publish('notes', 6);
    const reading = changes.consume();
    await take(6, reading);
    await reading.return(undefined);
  }

  test.each([3, 5, 10])('behind the URL is noticed, with %i changes', async (count) => {
    await readFive();
    await other.publish('notes', count);
    const error = await take(100, changes.consume({ url: other.gateway.url })).catch(
      (error: unknown) => error,
    );
    expect(error).toMatchObject({ name: 'ChangeGapError', collection: 'notes' });
    expect(String(error)).toContain('installation');
  });

  test('whose events come in the stream is noticed while a consumer runs', async () => {
    await changes.publish('notes', 6);
    const reading = changes.consume();
    await take(6, reading);
    const [event] = await changes.gateway.store.changes.read(collectionKey('notes'), 5, 1);
    const foreign = {
      ...event,
      id: 'notes:0000000000000007',
      sequence: '0000000000000007',
      source: 'urn:feedmesh:b',
    };
    const requests = jest.spyOn(globalThis, 'fetch');
    await changes.redis.xadd(changes.key, '*', 'event', JSON.stringify(foreign));
    expect(await gapIn(reading)).toMatchObject({ collection: 'notes' });
    // The one collection is requested, however many there are.
    expect(requests.mock.calls.map(([url]) => url)).toContain(`${changes.gateway.url}/v1/collections/notes`);
    requests.mockRestore();
  });

  test('on the same Redis is noticed', async () => {
    await readFive();
    await other.publish('notes', 10, { isRelayed: false });
    const key = collectionKey('notes');
    const event = (await other.gateway.store.changes.read(key, 6, 1))[0];
    await changes.redis.xadd(changes.key, '*', 'event', JSON.stringify(event));
    const error = await take(100, changes.consume({ url: other.gateway.url })).catch(
      (error: unknown) => error,
    );
    expect(error).toMatchObject({ name: 'ChangeGapError', collection: 'notes' });
  });
});
