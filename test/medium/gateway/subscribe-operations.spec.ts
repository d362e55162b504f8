import { expect, test } from '@jest/globals';
import { collectionKey, subscriptionId } from '#core';
import type { Subscription } from '#core';
import { sampleSubscription } from '#in-memory';
import { problemIn } from './gateway-under-test.ts';
import { useGateway } from './use-gateway.ts';

const gateway = useGateway();

const path = (collection: string): string => `/v1/collections/${collection}/subscriptions`;

/** An aggregator's list of feeds. */
function listOf(urls: readonly string[]): string {
  const outlines = urls.map((url) => `<outline type="rss" text="${url}" xmlUrl="${url}"/>`);
  return `<opml version="1.1"><head/><body>${outlines.join('')}</body></opml>`;
}

async function subscribeToList(collection: string, urls: readonly string[]): Promise<unknown> {
  const type = { 'content-type': 'text/x-opml' };
  return (await gateway.send('POST', path(collection), listOf(urls), type)).json();
}

test.each([10, 300])('subscribing takes four operations beside %i subscriptions', async (count) => {
  const collection = `beside-${count}`;
  await gateway.send('PUT', `/v1/collections/${collection}`);
  const urls = Array.from({ length: count }, (_, place) => `https://feeds.example/${place}`);
  expect(await subscribeToList(collection, urls)).toEqual({ created: count, existing: 0, refused: [] });
  const operations = await gateway.operations(async () => {
    const put = await gateway.send('PUT', `${path(collection)}/new`, { url: 'https://feeds.example/new' });
    expect(put.status).toBe(201);
  });
  expect(operations.map(({ name }) => name).toSorted()).toEqual([
    'insert subscriptions',
    'query collections',
    'query subscriptions',
    'update collections',
  ]);
  const read = operations.reduce((sum, { documents }) => sum + documents, 0);
  // The collection, once read and once to count the change.
  expect(read).toBe(2);
});

test('subscriptions that are looked for, stored and leased at once share their operations', async () => {
  const [key, now] = [collectionKey('together'), new Date()];
  await gateway.send('PUT', '/v1/collections/together');
  const { subscriptions } = gateway.store;
  const wanted = Array.from({ length: 100 }, (_, place): Subscription =>
    sampleSubscription({
      collection: key,
      id: subscriptionId(`s-${place}`),
      url: `https://feeds.example/${place}`,
      interval: { minimum: 60, maximum: 60 },
      createdAt: now,
    }),
  );
  const namesOf = async (work: (one: Subscription) => Promise<unknown>): Promise<string[]> =>
    (await gateway.operations(() => Promise.all(wanted.map(work)))).map(({ name }) => name);
  expect(await namesOf(({ id, url }) => subscriptions.matching(key, id, url))).toEqual([
    'query subscriptions',
  ]);
  expect(await namesOf((one) => subscriptions.put(one))).toEqual([
    'insert subscriptions',
    'update collections',
  ]);
  expect(await namesOf(({ id }) => subscriptions.find(key, id))).toEqual(['query subscriptions']);
  const leased = await Promise.all(
    wanted.map(async ({ id }) => (await subscriptions.lease(key, id, `m-${id}`, 60_000))?.manifest),
  );
  expect(leased).toEqual(wanted.map(({ id }) => `m-${id}`));
});

test('a list of feeds is stored in one write', async () => {
  await gateway.send('PUT', '/v1/collections/list');
  const urls = Array.from({ length: 200 }, (_, place) => `https://feeds.example/${place}`);
  await subscribeToList('list', urls.slice(0, 50));
  const operations = await gateway.operations(async () => {
    expect(await subscribeToList('list', urls)).toEqual({ created: 150, existing: 50, refused: [] });
  });
  const writes = operations.map(({ name }) => name).filter((name) => !name.startsWith('query'));
  expect(writes.toSorted()).toEqual(['insert subscriptions', 'update collections']);
});

test('of many that subscribe to a feed at once, one creates the subscription', async () => {
  await gateway.send('PUT', '/v1/collections/race');
  const spellings = Array.from({ length: 12 }, (_, place) => `https://RACE.example/feed#${place}`);
  const answers = await Promise.all(
    spellings.map(async (url) => {
      const response = await gateway.send('POST', path('race'), { url });
      return { status: response.status, id: ((await response.json()) as { id: string }).id };
    }),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(11);
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  const named = await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      gateway.send('PUT', `${path('race')}/${name}`, { url: 'https://named.example/feed' }),
    ),
  );
  expect(named.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const refused of named.filter(({ status }) => status !== 201))
    expect(await problemIn(refused)).toMatchObject({ status: 409, rule: 'already-subscribed' });
});

test('a list of 1,200 feeds takes a few writes, and says how far it is', async () => {
  const urls = Array.from({ length: 1200 }, (_, place) => `https://feeds.example/listed/${place}`);
  await gateway.send('PUT', '/v1/collections/listed');
  await subscribeToList('listed', urls.slice(0, 100));
  let text = '';
  const operations = await gateway.operations(async () => {
    const response = await gateway.send('POST', path('listed'), listOf(urls), {
      'content-type': 'text/x-opml',
      accept: 'application/x-ndjson',
    });
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    text = await response.text();
  });
  const inserts = operations.filter(({ name }) => name === 'insert subscriptions');
  // Blocks of 500, each of which the driver may split in two.
  expect(inserts.length).toBeLessThanOrEqual(6);
  expect(operations.length).toBeLessThanOrEqual(20);
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.at(-1)).toEqual({ result: { created: 1100, existing: 100, refused: [] } });
  const steps = lines.slice(0, -1) as { done: number; total: number }[];
  expect(steps.map(({ done }) => done)).toEqual(steps.map(({ done }) => done).toSorted((a, b) => a - b));
  expect(steps.at(-1)).toEqual({ done: 1200, total: 1200 });
  expect(steps.length).toBeGreaterThan(2);
});

test('a list that is refused is a problem, also for who wants to know how far it is', async () => {
  const headers = { 'content-type': 'text/x-opml', accept: 'application/x-ndjson' };
  const response = await gateway.send('POST', path('nowhere'), listOf(['https://feeds.example/']), headers);
  expect((await problemIn(response)).rule).toBe('collection-not-found');
});
