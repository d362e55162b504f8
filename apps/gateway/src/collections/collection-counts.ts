import type { CollectionView } from '#contracts';
import { noItems, noSubscriptions } from '#core';
import type { CollectionKey } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { lateBefore } from '../subscriptions/lateness.ts';

type Counts = NonNullable<CollectionView['counts']>;

/** Counts the items and subscriptions of collections; returns a function that gives the counts of one. */
export async function countCollections(
  ports: GatewayPorts,
  keys: readonly CollectionKey[],
): Promise<(key: CollectionKey) => Counts> {
  const { store, reads } = ports;
  const [items, states] = await reads.run(() =>
    Promise.all([store.items.counts(keys), store.subscriptions.states(keys, lateBefore(ports))]),
  );
  return (key) => {
    const { live, deleted, conflicts } = items.get(key) ?? noItems;
    const subscriptions = states.get(key) ?? noSubscriptions;
    return { items: live, deletedItems: deleted, conflicts, subscriptions };
  };
}
