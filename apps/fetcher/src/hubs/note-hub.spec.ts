import { beforeEach, expect, test } from '@jest/globals';
import { createMemoryStore, sampleCollection, sampleSubscription } from '#in-memory';
import { collectionKey, subscriptionId } from '#core';
import type { FeedHubChange, HubSubscription, Store, Subscription } from '#core';
import { noteHub } from './note-hub.ts';

const collection = collectionKey('todo');
const id = subscriptionId('peer');
const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1) + second * 1000);
const url = 'https://feeds.example/feed';
const callbacks = 'https://here.example/websub/';
const first = { url: 'https://hub.example/', topic: url };
const other = { url: 'https://other.example/', topic: url };

let store: Store;
let time: Date;
const clock = { now: () => time, wait: () => Promise.resolve() };

beforeEach(async () => {
  time = at(0);
  store = createMemoryStore({ clock });
  await store.collections.create(
    sampleCollection({ key: collection, protocol: 'feedsync', createdAt: time }),
  );
  await store.subscriptions.put(sampleSubscription({ collection, id, url, createdAt: time }));
});

async function subscribed(): Promise<Subscription> {
  const found = await store.subscriptions.find(collection, id);
  if (found === undefined) throw new Error('The subscription is missing.');
  return found;
}

interface Circumstances {
  readonly hasChanged?: boolean;
  /** Whether WebSub is on. */
  readonly isOn?: boolean;
  readonly last?: Subscription['last'];
}

/** A fetch whose response names a hub, or none. */
async function fetched(
  hub: { readonly url: string; readonly topic: string } | undefined,
  { hasChanged = false, isOn = true, last }: Circumstances = {},
): Promise<Subscription> {
  let count = 0;
  const random = { fraction: () => 0, identifier: () => `${time.getTime()}-${(count += 1)}.` };
  const link = hub && `<${hub.url}>; rel="hub", <${hub.topic}>; rel="self"`;
  const subscription = { ...(await subscribed()), ...(last && { last }) };
  await noteHub({ store, clock, random }, isOn ? callbacks : undefined, subscription, {
    response: { status: 'not-modified', url, freshness: {}, ...(link !== undefined && { link }) },
    began: time,
    hasChanged,
  });
  return subscribed();
}

/** What is to be requested of hubs by now. */
async function due(): Promise<HubSubscription[]> {
  const found: HubSubscription[] = [];
  for (;;) {
    const row = await store.hubs.takeDue(time, at(100_000));
    if (row === undefined) return found;
    found.push(row);
  }
}

async function note(change: FeedHubChange): Promise<void> {
  await store.subscriptions.noteHub(await subscribed(), first, change);
}

test('a hub that a feed names for the first time is kept, and asked to announce changes', async () => {
  expect((await fetched(first)).hub).toEqual(first);
  const [row, ...others] = await due();
  expect(row).toMatchObject({
    collection,
    subscription: id,
    hub: first.url,
    topic: first.topic,
    attempts: 0,
  });
  expect(row?.callback).toBe(callbacks + (row?.token ?? ''));
  expect(row?.token).not.toBe(row?.secret);
  expect(others).toEqual([]);
});

test('a feed that does not say leaves its hub as it is', async () => {
  await fetched(first);
  expect((await fetched(undefined)).hub).toEqual(first);
});

test('one whose lease runs is not requested again', async () => {
  await fetched(first);
  for (const row of await due()) expect(await store.hubs.remove(row)).toBe(true);
  await note({ leasedUntil: at(100) });
  time = at(99);
  await fetched(first);
  expect(await due()).toEqual([]);
  time = at(100);
  await fetched(first);
  expect((await due()).map(({ hub }) => hub)).toEqual([first.url]);
});

test('another hub takes its place, and what there is at the former one becomes due', async () => {
  await fetched(first);
  await due();
  time = at(10);
  expect((await fetched(other)).hub).toEqual(other);
  expect((await due()).map(({ hub }) => hub).toSorted()).toEqual([first.url, other.url]);
});

test('a change that a hub which was relied on has not announced is noted', async () => {
  await fetched(first);
  await note({ leasedUntil: at(1000), announcedAt: at(5) });
  const last = { at: at(10), outcome: 'fetched' as const };
  time = at(20);
  expect((await fetched(first, { last })).hub).not.toHaveProperty('missedAt');
  expect((await fetched(first, { last, hasChanged: true })).hub).toMatchObject({ missedAt: at(20) });
});

test('hubs are forgotten when WebSub is off', async () => {
  await fetched(first);
  await due();
  time = at(10);
  expect((await fetched(first, { isOn: false })).hub).toBeUndefined();
  expect((await due()).map(({ hub }) => hub)).toEqual([first.url]);
});
