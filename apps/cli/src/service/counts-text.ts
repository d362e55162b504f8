import type { CollectionView } from '#contracts';
import { count } from '../terminal/text.ts';

type Counts = NonNullable<CollectionView['counts']>;

/** How many items there are: `120 items, 4 deleted`. */
export function itemsText({ items, deletedItems }: Counts): string {
  const deleted = deletedItems === 0 ? '' : `, ${deletedItems.toLocaleString('en-US')} deleted`;
  return count(items, 'item') + deleted;
}

/** How many subscriptions there are in each state that has any: `2 ok, 1 failing`. */
export function subscriptionsText({ subscriptions }: Counts): string {
  return Object.entries(subscriptions)
    .filter(([, number]) => number > 0)
    .map(([state, number]) => `${number.toLocaleString('en-US')} ${state}`)
    .join(', ');
}
