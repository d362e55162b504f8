import { inSlices } from '#core';
import type { Collection, ItemId, StoredItem } from '#core';
import { editItem } from './edit-item.ts';
import type { EditPorts } from './edit-ports.ts';
import { issuedRecords } from './issued-records.ts';
import type { KeyedEdit } from './keyed-edit.ts';
import type { Edit } from '#protocol';
import { editWrites } from './write-edits.ts';
import { writeItems } from './write-items.ts';

type Deletion = Extract<Edit, { action: 'delete' }>;

/** How many parents are requested their children in one go. */
const parentsAtOnce = 100;

/** How many items are deleted in one go. */
const itemsAtOnce = 500;

/** A part of the items below a root that is done. */
export interface DeletedPart {
  /** Those that were deleted just now; none of a part that was done before. */
  readonly deleted: readonly ItemId[];
  /** How many are deleted by now, those that were before among them. */
  readonly done: number;
  /** How many were found so far. */
  readonly total: number;
}

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
  await deleteBelow(ports, collection, id, deletion);
  return deleted;
}

/**
 * Deletes every live item below one, level by level. An item that is moved out of the branch before it is its
 * turn stays, with what is below it. To call this again deletes what is left.
 * @param afterPart called when a part is done or was before; `false` breaks off
 * @returns whether it came to the end
 * @throws as `writeItems` does, and what `editWrite` does
 */
export async function deleteBelow(
  ports: EditPorts,
  collection: Collection,
  id: ItemId,
  deletion: Deletion,
  afterPart: (part: DeletedPart) => Promise<boolean> = async () => true,
): Promise<boolean> {
  const { items } = ports.store;
  const met = new Set([id]);
  let [done, total] = [0, 0];
  for (let parents = [id]; parents.length > 0;) {
    const below: ItemId[] = [];
    for (const some of inParts(parents, parentsAtOnce)) {
      const children = await items.childStates(collection.key, some);
      const gone = children.filter(({ deleted }) => deleted).map(({ id: child }) => child);
      const live = children.filter(({ deleted }) => !deleted).map(({ id: child }) => child);
      total += children.length;
      done += gone.length;
      for (const child of gone) below.push(child);
      for (const part of inParts(live, itemsAtOnce)) {
        const { deleted, stayed } = await deleteChildren(ports, collection, new Set(some), part, deletion);
        for (const child of part) if (!stayed.has(child)) below.push(child);
        done += part.length - stayed.size;
        total -= stayed.size;
        if (!(await afterPart({ deleted, done, total }))) return false;
      }
      // What another call has deleted may be more than it has reported.
      if (live.length === 0 && gone.length > 0 && !(await afterPart({ deleted: [], done, total })))
        return false;
    }
    parents = below.filter((child) => !met.has(child));
    for (const child of parents) met.add(child);
  }
  return true;
}

/** Deletes those of these items that still stand below one of the parents. */
async function deleteChildren(
  ports: EditPorts,
  collection: Collection,
  parents: ReadonlySet<string>,
  children: readonly ItemId[],
  deletion: Deletion,
): Promise<{ readonly deleted: readonly ItemId[]; readonly stayed: ReadonlySet<ItemId> }> {
  const { items } = ports.store;
  const stayed = new Set<ItemId>();
  const deleted = await writeItems(items, {
    collection: collection.key,
    ids: children,
    decide: async (ids, stored) => {
      const isBelow = (id: ItemId): boolean => parents.has(stored.get(id)?.position?.parent ?? '');
      for (const id of ids) if (!isBelow(id)) stayed.add(id);
      const live = ids.filter((id) => isBelow(id) && stored.get(id)?.deleted === false);
      const issued = await issuedRecords(items, collection, stored, live);
      const edits = live.map((id) => ({ id, edit: deletion }));
      return { writes: await inSlices(editWrites(ports, collection, edits, { stored, issued })) };
    },
  });
  return { deleted, stayed };
}

function* inParts<Value>(values: readonly Value[], length: number): Generator<readonly Value[]> {
  for (let start = 0; start < values.length; start += length) yield values.slice(start, start + length);
}
