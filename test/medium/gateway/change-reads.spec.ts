import { expect, test } from '@jest/globals';
import { useGateway } from './use-gateway.ts';
import { openChangeStream } from '../../support/growth/change-stream.ts';
import { collectSingleChanges } from '../../support/growth/single-changes.ts';
import { until } from '../../support/until.ts';

const gateway = useGateway();

async function addItem(collection: string, id: string): Promise<void> {
  const added = await gateway.send('POST', `/v1/collections/${collection}/items`, { id, title: id });
  expect(added.status).toBe(201);
  await gateway.publish(collection);
}

test('one event is read once, however many streams it goes to', async () => {
  const counts: number[] = [];
  for (const count of [1, 10, 50]) {
    const collection = `to-${count}`;
    await gateway.send('PUT', `/v1/collections/${collection}`);
    await addItem(collection, 'first');
    const streams = await Promise.all(
      Array.from({ length: count }, () => openChangeStream(gateway, collection)),
    );
    const all = (events: number) => async (): Promise<boolean> =>
      streams.every((stream) => stream.events() === events);
    await until(all(1));
    const operations = await gateway.operations(async () => {
      await addItem(collection, 'second');
      await until(all(2));
    });
    await Promise.all(streams.map((stream) => stream.close()));
    counts.push(operations.filter(({ name }) => name === 'query changes').length);
  }
  // Once for all streams, and once by the publisher.
  expect(counts).toEqual([2, 2, 2]);
});

test('a thousand single changes are three operations', async () => {
  await collectSingleChanges(gateway, 'long', 1001);
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
