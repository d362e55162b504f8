import type { Collection, StoredItem } from '#core';
import { editItem } from './edit-item.ts';
import type { EditPorts } from './edit-ports.ts';
import type { KeyedEdit } from './keyed-edit.ts';
import type { Edit } from './protocol.ts';
import { writeEdits } from './write-edits.ts';

type Deletion = Extract<Edit, { action: 'delete' }>;

/** How many parents are requested their children in one go. */
const batchLength = 100;

/** How often children that lost a race are deleted again. */
const maximumAttempts = 20;

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
  id: string,
  deletion: Deletion,
  expected?: number,
  keyed?: KeyedEdit,
): Promise<StoredItem> {
  const deleted = await editItem(ports, collection, id, deletion, expected, keyed);
  const met = new Set([id]);
  for (let parents = [id]; parents.length > 0;) {
    const below: string[] = [];
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

/** Deletes the live children of these parents; answers the ids of all children, those of tombstones too. */
async function deleteChildren(
  ports: EditPorts,
  collection: Collection,
  parents: readonly string[],
  edit: Deletion,
): Promise<string[]> {
  for (let attempt = 0; attempt < maximumAttempts; attempt += 1) {
    const children = await ports.store.items.children(collection.name, parents);
    const deletions = children
      .filter(({ deleted }) => !deleted)
      .map(({ id, revision }) => ({ id, revision, edit }));
    if ((await writeEdits(ports, collection, deletions)).size === 0) return children.map(({ id }) => id);
  }
  throw new Error(
    `The items below a deleted one were changed by others ${maximumAttempts} times while they were deleted.`,
  );
}
