import type { Collection, ItemId, Store } from '#core';
import { formatDateTime } from '#protocol';
import { itemWrite } from '../stored-item.ts';
import { writeItems } from '../write-items.ts';
import { tombstoneOf, treeContent } from '#cse';

/** What deleting items of a tree needs of the world. */
export interface TombstonePorts {
  readonly store: Pick<Store, 'items'>;
  readonly now: () => Date;
}

/**
 * Deletes the live ones of these items of a tree, as the subscription says that brought them.
 * @returns how many that were
 */
export async function deleteTreeItems(
  { store, now }: TombstonePorts,
  collection: Collection,
  ids: readonly ItemId[],
): Promise<number> {
  const deleted = await writeItems(store.items, {
    collection: collection.key,
    ids,
    decide: (_ids, stored) => {
      const at = now();
      const live = [...stored.values()].filter((item) => !item.deleted);
      const writes = live.map((item) => {
        const { subscription } = item;
        return itemWrite(
          { collection, now: at },
          item,
          tombstoneOf(treeContent(item.content), formatDateTime(at)),
          { ...(subscription !== undefined && { subscription }) },
        );
      });
      return { writes };
    },
  });
  return deleted.length;
}
