import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  createMemoryHttp,
  createMemoryQueue,
  createMemoryStore,
  sampleCollection,
  sampleSubscription,
} from '#in-memory';
import type { MemoryHttp, MemoryQueue } from '#in-memory';
import { collectionKey, FetchError, subscriptionId } from '#core';
import type { Collection, Store, Subscription, SubscriptionId } from '#core';
import type { FetchSettings } from './fetch-settings.ts';
import { fetchSubscription } from './fetch-subscription.ts';
import { Hosts } from './hosts/hosts.ts';
import { watchHosts } from './hosts/watched-http.ts';
import { takeDue } from './take-due.ts';
import { WalkPlaces } from './tree/walk-places.ts';
import { usualFetch } from '../../../test/support/fetch-settings.ts';

const todo = collectionKey('todo');
const paper = collectionKey('paper');
const one = subscriptionId('one');

const feed = '<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title></feed>';

let store: Store;
let http: MemoryHttp;
let queue: MemoryQueue;
let hosts: Hosts;
let walks: WalkPlaces;
let time: number;
/** The queue and subscription of each job that was sent. */
let sent: string[];

const clock = { now: () => new Date(time), wait: () => Promise.resolve() };

beforeEach(async () => {
  time = Date.parse('2026-03-01T00:00:00Z');
  sent = [];
  store = createMemoryStore({ clock });
  http = createMemoryHttp();
  queue = createMemoryQueue();
  walks = new WalkPlaces(1);
  hosts = new Hosts(
    { connections: 1, failures: 2, pause: 10_000, longestPause: 600_000 },
    {
      clock,
      random: { fraction: () => 0 },
      send: (jobs) => void sent.push(...jobs.map(({ deduplicate = '' }) => deduplicate)),
      paused: () => {},
    },
  );
  await collect('todo', 'feedsync');
});

async function collect(name: string, protocol: Collection['protocol']): Promise<void> {
  await store.collections.create(
    sampleCollection({
      key: collectionKey(name),
      protocol,
      format: protocol === 'cse' ? 'rss' : 'atom',
      title: name,
      createdAt: clock.now(),
      settings: { windowItems: 10, expiresAfter: 3600 },
    }),
  );
}

async function subscribe(id: SubscriptionId, url: string, collection = todo): Promise<void> {
  await store.subscriptions.put(
    sampleSubscription({
      collection,
      id,
      url,
      createdAt: clock.now(),
    }),
  );
}

/** Fetches a subscription; returns what it then is, and whether a manifest of it is left. */
async function fetch(
  id: string,
  collection = todo,
  settings: FetchSettings = usualFetch,
): Promise<{ after: Subscription | undefined; isOpen: boolean }> {
  const random = { fraction: () => 0, identifier: () => `m-${id}` };
  const ports = { store, queue, http: watchHosts(http, hosts), clock, random, hosts, walks };
  await fetchSubscription(ports, settings, { version: 1, collection, subscription: subscriptionId(id) });
  const after = await store.subscriptions.find(collection, subscriptionId(id));
  return { after, isOpen: (await store.manifests.find(collection, `m-${id}`)) !== undefined };
}

/** The ids of what is due and taken. */
const taken = async (): Promise<string[]> => {
  const random = { fraction: () => 0, identifier: () => 'batch' };
  const { subscriptions } = await takeDue({ store, queue, http, clock, random, hosts }, usualFetch, 100);
  return subscriptions.map(({ id }) => id);
};

describe('a fetch of a host without a free slot', () => {
  test('holds nothing, stays due, and is sent again when the slot is free', async () => {
    await subscribe(subscriptionId('slow'), 'http://slow.example/feed');
    const release = hosts.take('slow.example');
    const before = await store.subscriptions.find(todo, subscriptionId('slow'));
    expect(await fetch('slow')).toEqual({ after: before, isOpen: false });
    expect(sent).toEqual([]);
    release();
    expect(sent).toEqual(['todo/slow']);
  });

  test('is sent again however many come at once, and one of them goes on', async () => {
    for (const id of ['a', 'b', 'c']) await subscribe(subscriptionId(id), `http://slow.example/${id}`);
    const begun: string[] = [];
    let answer = (): void => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    for (const id of ['a', 'b', 'c']) {
      http.serve(`http://slow.example/${id}`, async () => {
        begun.push(id);
        await answered;
        return { status: 200, body: feed };
      });
    }
    const fetches = ['a', 'b', 'c'].map((id) => fetch(id));
    await Promise.all(fetches.slice(1));
    answer();
    await fetches[0];
    expect(begun).toEqual(['a']);
    hosts.resumeAll();
    hosts.resumeAll();
    expect(sent.toSorted()).toEqual(['todo/b', 'todo/c']);
    expect(await store.subscriptions.find(todo, subscriptionId('b'))).toMatchObject({
      nextFetchReason: 'it is new',
    });
  });

  test('is not taken, and keeps none of another host from it', async () => {
    for (let index = 0; index < 120; index += 1)
      await subscribe(subscriptionId(`slow-${index}`), `http://slow.example/${index}`);
    time += 1000;
    await subscribe(subscriptionId('quick'), 'http://quick.example/feed');
    expect(await taken()).toEqual(['slow-0', 'quick']);
    const release = hosts.take('slow.example');
    expect(await taken()).toEqual(['quick']);
    release();
    expect(await taken()).toHaveLength(2);
  });

  test('after a redirect is tried again a little later, and has not failed', async () => {
    await subscribe(subscriptionId('moved'), 'http://a.example/feed');
    http.serve('http://a.example/feed', () => {
      throw new FetchError('host-busy', 'slow.example: no connection is free', { host: 'slow.example' });
    });
    const { after, isOpen } = await fetch('moved');
    expect(after).toMatchObject({
      failures: 0,
      nextFetchAt: new Date(time + 10_000),
      nextFetchReason: 'slow.example had no free connection (FETCH_CONNECTIONS_PER_HOST)',
    });
    expect([after?.last, after?.manifest, isOpen]).toEqual([undefined, undefined, false]);
    expect(hosts.list()).toEqual([]);
  });
});

describe('a host that keeps failing', () => {
  const reason = (host: string) => `${host} failed 2 times in a row (http://${host}/feed: silent)`;
  const silence = (host: string, path = '/feed'): void => {
    http.serve(`http://${host}${path}`, () => {
      throw new FetchError('http-timeout', `http://${host}/feed: silent`, { host });
    });
  };

  test('is left alone, which every subscription there says', async () => {
    for (const id of ['one', 'two', 'three']) {
      await subscribe(subscriptionId(id), `http://slow.example/feed?${id}`);
      silence('slow.example', `/feed?${id}`);
    }
    expect((await fetch('one')).after).toMatchObject({ failures: 1, nextFetchReason: 'failure 1 in a row' });
    time += 55_000;
    expect((await fetch('two')).after).toMatchObject({ failures: 1, nextFetchReason: 'failure 1 in a row' });
    const { after } = await fetch('three');
    const nextFetchReason = reason('slow.example');
    const first = await store.subscriptions.find(todo, one);
    // They come back within as long again as the pause lasts, and not together.
    expect(first).toMatchObject({ nextFetchAt: new Date(time + 10_000), nextFetchReason });
    expect(after).toMatchObject({ failures: 0, nextFetchAt: new Date(time + 15_000), nextFetchReason });
    expect(await store.subscriptions.find(todo, subscriptionId('two'))).toMatchObject({
      nextFetchReason: 'failure 1 in a row',
    });
  });

  test('is granted the pause that it asks for, at most FETCH_RETRY_AFTER_SECONDS', async () => {
    await subscribe(one, 'http://slow.example/feed');
    http.serve('http://slow.example/feed', () => {
      throw new FetchError('http-status', 'slow.example: 503', { status: 503, retryAfter: 5000 });
    });
    const { after } = await fetch('one', todo, { ...usualFetch, retryAfterLimit: 4000 });
    expect(after?.nextFetchReason).toContain('at most 4000 s are granted (FETCH_RETRY_AFTER_SECONDS)');
    expect(after?.nextFetchAt).toEqual(new Date(time + 4_000_000));
  });

  test('puts the next fetch after its pause, if that is later than after the failure', async () => {
    await subscribe(one, 'http://slow.example/feed');
    silence('slow.example');
    for (let pauses = 0; pauses < 9; pauses += 1) {
      hosts.failed('slow.example', 'silent');
      time += 600_000;
    }
    const { after } = await fetch('one');
    expect(after).toMatchObject({
      failures: 1,
      nextFetchAt: new Date(time + 600_000),
      nextFetchReason: 'slow.example failed 10 times in a row (http://slow.example/feed: silent)',
    });
  });

  test('to which a feed leads is waited for, and the subscription has not failed', async () => {
    await subscribe(subscriptionId('moved'), 'http://a.example/feed');
    for (let times = 0; times < 2; times += 1)
      hosts.failed('slow.example', 'http://slow.example/feed: silent');
    http.serve('http://a.example/feed', () => {
      hosts.take('slow.example');
      return { status: 500 };
    });
    const { after, isOpen } = await fetch('moved');
    const next = { nextFetchAt: new Date(time + 10_000), nextFetchReason: reason('slow.example') };
    expect(after).toMatchObject({ failures: 0, ...next });
    expect([after?.last, isOpen]).toEqual([undefined, false]);
  });

  test('is fetched from as before as soon as it answers', async () => {
    await subscribe(one, 'http://slow.example/feed');
    for (let times = 0; times < 2; times += 1) hosts.failed('slow.example', 'silent');
    time += 10_000;
    http.serve('http://slow.example/feed', () => ({ status: 200, body: feed }));
    expect((await fetch('one')).after).toMatchObject({ last: { outcome: 'fetched' } });
    expect(hosts.list()).toEqual([]);
  });
});

describe('a walk through a tree', () => {
  test('waits until there is a place for it, and gives its own back', async () => {
    await collect('paper', 'cse');
    await subscribe(subscriptionId('source'), 'http://a.example/root', paper);
    const end = walks.take();
    const { after, isOpen } = await fetch('source', paper);
    const next = {
      nextFetchAt: new Date(time + 10_000),
      nextFetchReason: '1 other trees are being fetched (TREE_WALKS)',
    };
    expect(after).toMatchObject({ failures: 0, ...next });
    expect([after?.manifest, isOpen]).toEqual([undefined, false]);
    end?.();
    time += 10_000;
    expect((await fetch('source', paper)).after).toMatchObject({
      failures: 1,
      last: { rule: 'connection' },
    });
    expect(walks.take()).toBeDefined();
  });

  test('is none for the fetch of a feed', async () => {
    walks.take();
    await subscribe(one, 'http://a.example/feed');
    http.serve('http://a.example/feed', () => ({ status: 200, body: feed }));
    expect((await fetch('one')).after).toMatchObject({ last: { outcome: 'fetched' } });
  });
});
