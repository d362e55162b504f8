import type { Collection, StoredItem } from '#core';
import { closesCycle } from './ancestry.ts';
import { arrangeCollection } from './arrange-collection.ts';
import {
  InvalidEditError,
  ItemExistsError,
  ItemNotFoundError,
  ItemStateError,
  RevisionMismatchError,
} from './edit-error.ts';
import type { EditPorts } from './edit-ports.ts';
import { idRefusal } from './item-id.ts';
import { issuedRecords } from './issued-records.ts';
import { isStoredEdit, marksAfter } from './keyed-edit.ts';
import type { KeyedEdit } from './keyed-edit.ts';
import type { ItemEdit } from './requested-placement.ts';
import { placementOf } from './placement.ts';
import type { Edit } from './protocol.ts';
import { isFeedTree, protocolOf } from './protocols.ts';
import { isWithoutData } from './removed-data.ts';
import { treeEditOf } from './tree/tree-edit.ts';
import { editWrite } from './write-edits.ts';

/** How often an edit without a stated revision is decided again after a lost race. */
const maximumAttempts = 20;

/**
 * Performs a local edit (FeedSync 3.1, 3.2, 3.4; SSE 4.1, 4.2, 5): load, decide, compare-and-set. When it
 * returns, the new revision is on a majority and in the journal, and pending for the publisher. With FeedSync
 * a payload of the other format is converted to the collection's. In a tree of feeds (CSE) the id is
 * `treeItemId` of the item's feed and guid.
 * @param expected the revision that the edit was made for; undefined edits whatever revision there is
 * @param keyed under what key; an edit that is stored already is not made again
 * @returns the item as stored
 * @throws KeyReusedError, ItemNotFoundError, ItemExistsError, RevisionMismatchError, ItemStateError,
 *   InvalidEditError, FeedError of rule `format-fixed` for content that can't be converted, of another one
 *   for a csx:link that breaks it, and the engine's EditLimitError and ResolutionError
 */
export async function editItem(
  ports: EditPorts,
  collection: Collection,
  id: string,
  edit: ItemEdit,
  expected?: number,
  keyed?: KeyedEdit,
): Promise<StoredItem> {
  const refusal = edit.action === 'create' && !isFeedTree(collection) ? idRefusal(id) : undefined;
  if (refusal !== undefined) throw new InvalidEditError(refusal);
  if (!isFeedTree(collection) && edit.tree !== undefined)
    throw new InvalidEditError(
      `The collection "${collection.name}" is no tree of feeds; its items have no feed, guid or links.`,
    );
  const fitting =
    'payload' in edit && edit.payload !== undefined
      ? { ...edit, payload: protocolOf(collection).payloadIn(edit.payload, collection.format) }
      : edit;
  const { items } = ports.store;
  for (let attempt = 0; attempt < maximumAttempts; attempt += 1) {
    const stored = (await items.load(collection.name, [id])).get(id);
    if (stored !== undefined && isStoredEdit(stored, keyed, ports.now())) return stored;
    checkState(collection, id, edit, stored, expected);
    const position = await placementOf(items, collection, id, fitting, stored);
    const placed = { ...fitting, ...(position && { position }) };
    const issued = await issuedRecords(items, collection, new Map(stored && [[id, stored]]), [id]);
    const decided = editWrite(
      ports,
      collection,
      stored,
      isFeedTree(collection) ? await treeEditOf(ports, collection, id, placed, stored) : placed,
      issued.get(id),
    );
    const write =
      keyed === undefined
        ? decided
        : { ...decided, item: { ...decided.item, edits: marksAfter(stored, keyed, ports.now()) } };
    if ((await items.compareAndSet([write])).length > 0) continue;
    const written = { ...stored, ...write.item, revision: write.expected + 1 };
    // The new parent may have been put below the item at the same time; below a new item nobody could put it.
    const isElsewhere = stored !== undefined && written.position?.parent !== stored.position?.parent;
    if (!isElsewhere || !(await closesCycle(items, collection.name, id, written.position?.parent)))
      return written;
    if (!isFeedTree(collection)) await arrangeCollection(ports, collection);
    return (await items.load(collection.name, [id])).get(id) ?? written;
  }
  throw new ItemStateError(
    `The item was changed by others ${maximumAttempts} times while this edit was made. Try again.`,
  );
}

function checkState(
  collection: Collection,
  id: string,
  edit: Edit,
  stored: StoredItem | undefined,
  expected: number | undefined,
): void {
  if (edit.action === 'create') {
    if (stored !== undefined) throw new ItemExistsError(collection.name, id);
    return;
  }
  if (stored === undefined) throw new ItemNotFoundError(collection.name, id);
  if (expected !== undefined && stored.revision !== expected)
    throw new RevisionMismatchError(expected, stored.revision);
  if (edit.action === 'undelete' && !stored.deleted)
    throw new ItemStateError(`The item "${id}" is not deleted.`);
  if (edit.action === 'undelete' && edit.payload === undefined && isWithoutData(stored.content.data))
    throw new InvalidEditError(
      `The item "${id}" has no data: its deletion removed it. Undelete it with a payload.`,
    );
  if ((edit.action === 'update' || edit.action === 'delete') && stored.deleted)
    throw new ItemStateError(`The item "${id}" is deleted; undelete it first.`);
}
