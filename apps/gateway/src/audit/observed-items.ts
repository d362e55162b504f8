import type { ItemStore, Store } from '#core';
import { currentChange } from './change-in-progress.ts';

/** The store, with the revisions of the items that are written noted in the change that writes them. */
export function observedStore<Kept extends Pick<Store, 'items'>>(store: Kept): Kept {
  const items: ItemStore = {
    ...store.items,
    async compareAndSet(writes) {
      const lost = await store.items.compareAndSet(writes);
      const change = currentChange();
      if (change === undefined) return lost;
      const losers = new Set(lost);
      for (const { expected, item } of writes)
        if (!losers.has(item.id)) change.noteItem(item.id, expected, expected + 1);
      return lost;
    },
  };
  return { ...store, items };
}
