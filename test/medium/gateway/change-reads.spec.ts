import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { collectionKey } from '#core';
import { startGateway } from './gateway-under-test.ts';
import type { GatewayUnderTest } from './gateway-under-test.ts';
import { until } from './until.ts';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

async function addItem(collection: string, id: string): Promise<void> {
  const added = await gateway.send('POST', `/v1/collections/${collection}/items`, { id, title: id });
  expect(added.status).toBe(201);
  await gateway.publish(collection);
}

/** A stream of changes that counts the events it has got so far. */
async function openStream(collection: string): Promise<{ events: () => number; close: () => Promise<void> }> {
  const closing = new AbortController();
  const response = await fetch(`${gateway.url}/v1/collections/${collection}/changes?mode=stream`, {
    signal: closing.signal,
  });
  let text = '';
  const read = (async () => {
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? [])
      text += decoder.decode(piece as Uint8Array, { stream: true });
  })().catch(() => {});
  return {
    events: () => text.split('\nevent: ').length - 1,
    async close() {
      closing.abort();
      await read;
    },
  };
}

test('one event is read once, however many streams it goes to', async () => {
  const counts: number[] = [];
  for (const count of [1, 10, 50]) {
    const collection = `to-${count}`;
    await gateway.send('PUT', `/v1/collections/${collection}`);
    await addItem(collection, 'first');
    const streams = await Promise.all(Array.from({ length: count }, () => openStream(collection)));
    const all = (events: number) => async (): Promise<boolean> =>
      streams.every((stream) => stream.events() === events);
    await until(all(1));
    const operations = await gateway.operations(async () => {
      // Published past the gateway, which the operations counted here are of.
      await addItem(collection, 'second');
      await until(all(2));
    });
    await Promise.all(streams.map((stream) => stream.close()));
    // How far a collection is published is read again and again, once for all streams.
    const isLook = (fields: readonly string[]): boolean => fields.join() === 'publication.sequence';
    counts.push(operations.filter(({ fields }) => !isLook(fields)).length);
  }
  expect(counts).toEqual([counts[0], counts[0], counts[0]]);
});

test('a thousand single changes are three operations', async () => {
  const collection = collectionKey('long');
  await gateway.send('PUT', '/v1/collections/long');
  await addItem('long', '1');
  const last = await gateway.store.changes.last(collection);
  const event = last?.events[0];
  if (last === undefined || event === undefined) throw new Error('nothing was published');
  const sequences = Array.from({ length: 1000 }, (_, place) => place + 2);
  for (const sequence of sequences)
    await gateway.store.changes.append({
      ...last,
      first: sequence,
      events: [{ ...event, sequence: String(sequence).padStart(16, '0') }],
    });
  const lease = await gateway.store.collections.lease(collection, 'test', 60_000);
  if (lease === undefined) throw new Error('There is no lease.');
  await gateway.store.collections.advance(lease, { sequence: 1001, since: 0, relayed: 1001 });
  for (const since of ['0000000000000000', '0000000000000500']) {
    let read = 0;
    const operations = await gateway.operations(async () => {
      const response = await gateway.send('GET', `/v1/collections/long/changes?limit=1000&since=${since}`);
      read = ((await response.json()) as { changes: unknown[] }).changes.length;
    });
    expect(read).toBe(since === '0000000000000000' ? 1000 : 501);
    expect(operations.map(({ name }) => name)).toEqual(['query collections', 'query changes']);
  }
  const operations = await gateway.operations(() =>
    gateway.send('GET', '/v1/collections/long/changes?since=0000000000001001'),
  );
  expect(operations.map(({ name }) => name)).toEqual(['query collections']);
});
