import { inSlices, nameOf, Slices } from '#core';
import type { Collection, ItemId, ItemWrite, StoredItem } from '#core';
import { closesCycle } from './ancestry.ts';
import { arrangeCollection } from './arrange-collection.ts';
import {
  InvalidEditError,
  ItemExistsError,
  ItemNotFoundError,
  ItemStateError,
  RevisionMismatchError,
  isWithoutData,
} from '#protocol';
import type { EditPorts } from './edit-ports.ts';
import { idRefusal } from './item-id.ts';
import { issuedRecords } from './issued-records.ts';
import { isStoredEdit, marksAfter } from './keyed-edit.ts';
import type { KeyedEdit } from './keyed-edit.ts';
import type { ItemEdit } from './requested-placement.ts';
import { placementOf } from './placement.ts';
import type { Edit } from '#protocol';
import { isFeedTree, protocolOf } from '#protocols';
import { treeEditOf } from './tree/tree-edit.ts';
import { editWrite } from './write-edits.ts';
import { writeItems } from './write-items.ts';

/**
 * Performs a local edit (FeedSync 3.1, 3.2, 3.4; SSE 4.1, 4.2, 5): load, decide, compare-and-set. When it
 * returns, the new revision is on a majority and in the journal, and pending for the publisher. With FeedSync
 * a payload of the other format is converted to the collection's. In a tree of feeds (CSE) the id is
 * `treeItemId` of the item's feed and guid.
 * @param edit made from what is stored if it is a function, which is called again after a lost race and
 *   returns undefined to leave the item as it is
 * @param expected the revision that the edit was made for; undefined edits whatever revision there is
 * @param keyed under what key; an edit that is stored already is not made again
 * @param loaded what is stored of the item, if that was read since the edit was requested
 * @returns the item as stored
 * @throws KeyReusedError, ItemNotFoundError, ItemExistsError, RevisionMismatchError, ItemStateError,
 *   InvalidEditError, FeedError of rule `format-fixed` for content that can't be converted, of another one
 *   for a csx:link that breaks it, and the engine's EditLimitError and ResolutionError
 */
export async function editItem(
  ports: EditPorts,
  collection: Collection,
  id: ItemId,
  edit: ItemEdit | ((stored: StoredItem) => Promise<ItemEdit | undefined>),
  expected?: number,
  keyed?: KeyedEdit,
  loaded?: ReadonlyMap<ItemId, StoredItem>,
): Promise<StoredItem> {
  const { items } = ports.store;
  /** The item as it was and as it is, of the last decision: that one is stored. */
  const edited: { before?: StoredItem | undefined; after?: StoredItem } = {};
  await writeItems(items, {
    collection: collection.key,
    ids: [id],
    loaded,
    decide: async (_ids, found) => {
      const stored = found.get(id);
      edited.before = stored;
      if (stored !== undefined && isStoredEdit(stored, keyed, ports.now())) {
        edited.after = stored;
        return { writes: [] };
      }
      const slices = new Slices();
      const wanted =
        typeof edit === 'function' ? await edit(expectedItem(collection, id, stored, expected)) : edit;
      await slices.rest();
      if (wanted === undefined) {
        edited.after = stored as StoredItem;
        return { writes: [] };
      }
      const change = fittingEdit(collection, id, wanted);
      await slices.rest();
      checkState(collection, id, change, stored, expected);
      const write = await decideEdit(ports, collection, id, change, stored, keyed);
      const { actor: _former, ...before } = stored ?? {};
      edited.after = { ...before, ...write.item, revision: write.expected + 1 };
      return { writes: [write] };
    },
    raced: (message) => new ItemStateError(message),
  });
  return resolveCycle(ports, collection, edited.before, edited.after as StoredItem);
}

/** The edit with its payload in the format of the collection. */
function fittingEdit(collection: Collection, id: ItemId, edit: ItemEdit): ItemEdit {
  const refusal = edit.action === 'create' && !isFeedTree(collection) ? idRefusal(id) : undefined;
  if (refusal !== undefined) throw new InvalidEditError(refusal);
  if (!isFeedTree(collection) && edit.tree !== undefined)
    throw new InvalidEditError(
      `The collection "${nameOf(collection.key)}" is no tree of feeds; its items have no feed, guid or ` +
        'links.',
    );
  return 'payload' in edit && edit.payload !== undefined
    ? { ...edit, payload: protocolOf(collection).payloadIn(edit.payload, collection.format) }
    : edit;
}

/** The write that an edit of an item comes to, as the item is stored now. */
async function decideEdit(
  ports: EditPorts,
  collection: Collection,
  id: ItemId,
  edit: ItemEdit,
  stored: StoredItem | undefined,
  keyed: KeyedEdit | undefined,
): Promise<ItemWrite> {
  const { items } = ports.store;
  const position = await placementOf(items, collection, id, edit, stored);
  const placed = { ...edit, ...(position && { position }) };
  const issued = await issuedRecords(items, collection, new Map(stored && [[id, stored]]), [id]);
  const local = isFeedTree(collection) ? await treeEditOf(ports, collection, id, placed, stored) : placed;
  const write = await inSlices(editWrite(ports, collection, stored, local, issued.get(id)));
  return keyed === undefined
    ? write
    : { ...write, item: { ...write.item, edits: marksAfter(stored, keyed, ports.now()) } };
}

/** The item after an edit, which may have been put below itself. */
async function resolveCycle(
  ports: EditPorts,
  collection: Collection,
  before: StoredItem | undefined,
  after: StoredItem,
): Promise<StoredItem> {
  const { items } = ports.store;
  const { id, position } = after;
  // The new parent may have been put below the item at the same time; below a new item nobody could put it.
  const isElsewhere = before !== undefined && position?.parent !== before.position?.parent;
  if (!isElsewhere || !(await closesCycle(items, collection.key, id, position?.parent))) return after;
  if (!isFeedTree(collection)) await arrangeCollection(ports, collection);
  return (await items.load(collection.key, [id])).get(id) ?? after;
}

/** The item, if there is one at this revision. */
function expectedItem(
  collection: Collection,
  id: ItemId,
  stored: StoredItem | undefined,
  expected: number | undefined,
): StoredItem {
  if (stored === undefined) throw new ItemNotFoundError(collection.key, id);
  if (expected !== undefined && stored.revision !== expected)
    throw new RevisionMismatchError(expected, stored.revision);
  return stored;
}

function checkState(
  collection: Collection,
  id: ItemId,
  edit: Edit,
  stored: StoredItem | undefined,
  expected: number | undefined,
): void {
  if (edit.action === 'create') {
    if (stored !== undefined) throw new ItemExistsError(collection.key, id);
    return;
  }
  const { deleted, content } = expectedItem(collection, id, stored, expected);
  if (edit.action === 'undelete' && !deleted) throw new ItemStateError(`The item "${id}" is not deleted.`);
  if (edit.action === 'undelete' && edit.payload === undefined && isWithoutData(content.data))
    throw new InvalidEditError(
      `The item "${id}" has no data: its deletion removed it. Undelete it with a payload.`,
    );
  if ((edit.action === 'update' || edit.action === 'delete') && deleted)
    throw new ItemStateError(`The item "${id}" is deleted; undelete it first.`);
}
