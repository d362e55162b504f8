import type { Collection, ItemId, PlacedItem, StoredItem } from '#core';
import { editItem } from './edit-item.ts';
import type { EditPorts } from './edit-ports.ts';
import type { KeyedEdit } from './keyed-edit.ts';
import type { Edit } from '#protocol';
import { writeEdits } from './write-edits.ts';

type Deletion = Extract<Edit, { action: 'delete' }>;

/** How many parents are requested their children in one go. */
const batchLength = 100;

/**
 * Deletes an item and then every live item below it, each a tombstone of its own (SSE 4.2). Where it breaks
 * off, what is left below the tombstone stays, and can be deleted by itself.
 * @param expected the revision of the item itself that the deletion was made for; undefined deletes
 *   whatever revision there is
 * @param keyed under what key; sent again, it deletes what is left
 * @returns the item's tombstone as stored
 * @throws as `editItem` does
 */
export async function deleteBranch(
  ports: EditPorts,
  collection: Collection,
  id: ItemId,
  deletion: Deletion,
  expected?: number,
  keyed?: KeyedEdit,
): Promise<StoredItem> {
  const deleted = await editItem(ports, collection, id, deletion, expected, keyed);
  const met = new Set([id]);
  for (let parents = [id]; parents.length > 0;) {
    const below: ItemId[] = [];
    for (let start = 0; start < parents.length; start += batchLength) {
      for (const child of await deleteChildren(
        ports,
        collection,
        parents.slice(start, start + batchLength),
        deletion,
      ))
        below.push(child);
    }
    parents = below.filter((child) => !met.has(child));
    for (const child of parents) met.add(child);
  }
  return deleted;
}

/** Deletes the live children of these parents; returns the ids of all children, those of tombstones too. */
async function deleteChildren(
  ports: EditPorts,
  collection: Collection,
  parents: readonly ItemId[],
  edit: Deletion,
): Promise<ItemId[]> {
  let children: readonly PlacedItem[] = [];
  await writeEdits(ports, collection, async () => {
    children = await ports.store.items.children(collection.key, parents);
    return children.filter(({ deleted }) => !deleted).map(({ id, revision }) => ({ id, revision, edit }));
  });
  return children.map(({ id }) => id);
}
