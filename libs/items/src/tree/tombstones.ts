import type { Collection, Store } from '#core';
import { formatDateTime } from '../identity.ts';
import { itemWrite } from '../stored-item.ts';
import { tombstoneOf, treeContent } from './tree-content.ts';

/** What deleting items of a tree needs of the world. */
export interface TombstonePorts {
  readonly store: Pick<Store, 'items'>;
  readonly now: () => Date;
}

/** How many items are written in one go. */
const batchLength = 200;

/** How often what lost a race is deleted again. */
const maximumAttempts = 20;

/**
 * Deletes the live ones of these items of a tree, as the subscription says that brought them. Answers how
 * many that were.
 */
export async function deleteTreeItems(
  ports: TombstonePorts,
  collection: Collection,
  ids: readonly string[],
): Promise<number> {
  let deleted = 0;
  for (let start = 0; start < ids.length; start += batchLength)
    deleted += await deleteBatch(ports, collection, ids.slice(start, start + batchLength));
  return deleted;
}

async function deleteBatch(
  { store, now }: TombstonePorts,
  collection: Collection,
  ids: readonly string[],
): Promise<number> {
  let deleted = 0;
  let left = ids;
  for (let attempt = 0; left.length > 0; attempt += 1) {
    if (attempt === maximumAttempts)
      throw new Error(
        `Items of "${collection.name}" were changed by others ${maximumAttempts} times while they were ` +
          'deleted.',
      );
    const at = now();
    const live = [...(await store.items.load(collection.name, left)).values()].filter(
      (item) => !item.deleted,
    );
    const writes = live.map((item) => {
      const { subscription } = item;
      return itemWrite(
        { collection, publicUrl: '', now: at },
        item,
        tombstoneOf(treeContent(item.content), formatDateTime(at)),
        { ...(subscription !== undefined && { subscription }) },
      );
    });
    left = await store.items.compareAndSet(writes);
    deleted += writes.length - left.length;
  }
  return deleted;
}
