import { collectionKey } from '#core';
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
  const { collections, changes } = gateway.store;
  const last = await changes.last(collection);
  const event = last?.events[0];
  if (last === undefined || event === undefined) throw new Error('nothing was published');
  for (let sequence = 2; sequence <= count; sequence += 1)
    await changes.append({
      ...last,
      first: sequence,
      events: [{ ...event, sequence: String(sequence).padStart(16, '0') }],
    });
  const lease = await collections.lease(collection, 'test', 60_000);
  if (lease === undefined) throw new Error('There is no lease.');
  await collections.advance(lease, { sequence: count, since: 0, relayed: count });
}
