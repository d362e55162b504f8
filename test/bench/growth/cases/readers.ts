import { collectionKey, subscriptionId } from '#core';
import type { GatewayUnderTest } from '../../../medium/gateway/gateway-under-test.ts';
import { openChangeStream } from '../../../support/growth/change-stream.ts';
import { collectSingleChanges } from '../../../support/growth/single-changes.ts';
import { until } from '../../feedmesh/until.ts';
import type { Counts, GrowthCase } from '../growth-case.ts';
import { subscriptionTo } from '../subscriptions.ts';
import { countsOf, withGateway } from '../under-test.ts';

/** Adds an item and publishes it, past the gateway. */
async function addItem(gateway: GatewayUnderTest, collection: string, id: string): Promise<void> {
  const path = `/v1/collections/${collection}/items`;
  const { status } = await gateway.send('POST', path, { id, title: id });
  if (status !== 201) throw new Error(`POST ${path}: ${status}`);
  await gateway.publish(collection);
}

/** Makes a collection with ten published items and so many subscriptions; returns the path of its feed. */
async function collectSubscribed(
  gateway: GatewayUnderTest,
  name: string,
  subscriptions: number,
): Promise<string> {
  await gateway.send('PUT', `/v1/collections/${name}`);
  for (let item = 0; item < 10; item += 1) await addItem(gateway, name, `item-${item}`);
  await Promise.all(
    Array.from({ length: subscriptions }, (_, index) => {
      const id = subscriptionId(`s-${index}`);
      const url = `https://feeds.example/${index}`;
      return gateway.store.subscriptions.put(subscriptionTo(collectionKey(name), id, url));
    }),
  );
  return `/feeds/${name}.atom`;
}

/** Counts what a request for a feed takes: the first one for it, or one that is answered by 304. */
async function countGet(
  gateway: GatewayUnderTest,
  name: string,
  subscriptions: number,
  status: 200 | 304,
): Promise<Counts> {
  const path = await collectSubscribed(gateway, name, subscriptions);
  const headers: Record<string, string> = {};
  const get = async (expected: number): Promise<void> => {
    const response = await gateway.send('GET', path, undefined, headers);
    await response.arrayBuffer();
    if (response.status !== expected) throw new Error(`GET ${path}: ${response.status}`);
    headers['if-none-match'] = response.headers.get('etag') ?? '';
  };
  if (status === 304) await get(200);
  return countsOf(await gateway.operations(() => get(status)));
}

/** Counts what one event to so many streams takes. */
async function countStreams(gateway: GatewayUnderTest, name: string, count: number): Promise<Counts> {
  await gateway.send('PUT', `/v1/collections/${name}`);
  await addItem(gateway, name, 'first');
  const streams = await Promise.all(Array.from({ length: count }, () => openChangeStream(gateway, name)));
  const all = (events: number) => async (): Promise<boolean> =>
    streams.every((stream) => stream.events() === events);
  await until('the streams have begun', all(1));
  const operations = await gateway.operations(async () => {
    await addItem(gateway, name, 'second');
    await until('each stream has the event', all(2));
  });
  await Promise.all(streams.map((stream) => stream.close()));
  // How far a collection is published is read again and again, once for all streams.
  const counted = operations.filter(({ fields }) => fields.join() !== 'publication.sequence');
  return countsOf(counted);
}

/** What is counted of those who read feeds and changes. */
export const readerCases: readonly GrowthCase[] = [
  {
    name: 'a GET of a feed that is not kept, with 10 items',
    unit: 'subscriptions',
    sizes: [10, 10_000],
    count: (subscriptions) => withGateway((gateway, name) => countGet(gateway, name, subscriptions, 200)),
  },
  {
    name: 'a GET of a feed that is answered by 304',
    unit: 'subscriptions',
    sizes: [10, 10_000],
    count: (subscriptions) => withGateway((gateway, name) => countGet(gateway, name, subscriptions, 304)),
  },
  {
    name: 'an edit, its publication, and its event to all streams of a gateway',
    unit: 'streams',
    sizes: [1, 50],
    count: (streams) => withGateway((gateway, name) => countStreams(gateway, name, streams)),
  },
  {
    name: 'changes?limit=1000 over single edits',
    unit: 'changes',
    sizes: [100, 1000],
    count: (changes) =>
      withGateway(async (gateway, name) => {
        await collectSingleChanges(gateway, name, changes);
        return countsOf(
          await gateway.operations(() => gateway.send('GET', `/v1/collections/${name}/changes?limit=1000`)),
        );
      }),
  },
];
