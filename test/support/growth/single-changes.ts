import { collectionKey } from '#core';
import { lastBlock, publishBlock } from '../published-blocks.ts';
import type { GatewayUnderTest } from '../../medium/gateway/gateway-under-test.ts';

/** Makes a collection whose log has so many changes, each published by itself. */
export async function collectSingleChanges(
  gateway: GatewayUnderTest,
  name: string,
  count: number,
): Promise<void> {
  const collection = collectionKey(name);
  await gateway.send('PUT', `/v1/collections/${name}`);
  await gateway.send('POST', `/v1/collections/${name}/items`, { id: '1', title: '1' });
  await gateway.publish(name);
  const { store } = gateway;
  const last = await lastBlock(store, collection);
  const event = last?.events[0];
  if (last === undefined || event === undefined) throw new Error('nothing was published');
  for (let sequence = 2; sequence <= count; sequence += 1)
    await publishBlock(store, {
      at: last.at,
      collection,
      first: sequence,
      events: [{ ...event, sequence: String(sequence).padStart(16, '0') }],
      items: [],
      notices: [],
    });
  await store.collections.follow(collection, { relayed: count, since: 0 });
}
