import { historyEntry, type Author } from './author.ts';
import { maximumCount } from './count.ts';
import { EditError } from '#core';
import type { ItemId } from '#core';
import { EditLimitError } from './edit-error.ts';
import { absorbConflicts } from './history.ts';
import type { Item } from './item.ts';
import { Knowledge } from './knowledge.ts';
import { isNamespaceSpecificString } from './namespace-specific-string.ts';
import { topmost } from './version.ts';

/** A new item (3.1). */
export interface Creation<Data> extends Author {
  /** Globally unique, a Namespace Specific String (2.4); never changes. */
  readonly id: ItemId;
  readonly data: Data;
  /** True if conflicts of this item must never be kept (2.4). */
  readonly noconflicts?: boolean;
  /** True for an item that is a tombstone from birth; default false. */
  readonly deleted?: boolean;
}

/** An edit of an item: who, when, and the new content; without `data` the content stays as it is. */
export interface Edit<Data> extends Author {
  readonly data?: Data;
}

/**
 * Creates an item with `updates` and `sequence` 1 (3.1); the sequence is higher if the endpoint has signed
 * an item with this id before. Throws EditError if the id or the author break a rule.
 */
export function createItem<Data>({
  id,
  data,
  noconflicts,
  deleted = false,
  when,
  by,
  issued,
}: Creation<Data>): Item<Data> {
  if (!isNamespaceSpecificString(id)) {
    throw new EditError(
      'sync-id-syntax',
      `the id ${JSON.stringify(id)} is not a Namespace Specific String (FeedSync 2.4, RFC 2141)`,
    );
  }
  const history = [historyEntry(sequenceAfter(id, 1, by, issued), { when, by })];
  return {
    sync: { id, updates: 1, deleted, ...(noconflicts !== undefined && { noconflicts }), history },
    data,
    conflicts: [],
  };
}

/**
 * Updates an item (3.2). A tombstone stays one. Conflicts that the same endpoint made go into the history,
 * the others stay. Throws EditError if the author breaks a rule, EditLimitError if `updates` or
 * `sequence` would pass 2^31-1.
 */
export function updateItem<Data>(item: Item<Data>, edit: Edit<Data> & { readonly data: Data }): Item<Data> {
  return editItem(item, edit, item.sync.deleted);
}

/**
 * Makes an item a tombstone (3.2, step 5); as `updateItem` in everything else. Without `data` the content is
 * kept.
 */
export function deleteItem<Data>(item: Item<Data>, edit: Edit<Data>): Item<Data> {
  return editItem(item, edit, true);
}

/**
 * Makes a tombstone an item again (3.2, step 6); as `updateItem` in everything else. Without `data` the
 * content is the tombstone's.
 */
export function undeleteItem<Data>(item: Item<Data>, edit: Edit<Data>): Item<Data> {
  return editItem(item, edit, false);
}

/** The steps of 3.2 that every edit shares. */
export function editItem<Data>(item: Item<Data>, edit: Edit<Data>, deleted: boolean): Item<Data> {
  const updates = item.sync.updates + 1;
  if (updates > maximumCount)
    throw new EditLimitError(
      `the item ${item.sync.id} has reached the limit of ${maximumCount} updates (FeedSync 2.4)`,
    );
  const entry = historyEntry(nextSequence(item, updates, edit), edit);
  const edited: Item<Data> = {
    sync: { ...item.sync, updates, deleted, history: [entry, ...item.sync.history] },
    data: edit.data === undefined ? item.data : edit.data,
    conflicts: item.conflicts,
  };
  if (edit.by === undefined) return edited;
  return absorbConflicts(
    edited,
    new Set(item.conflicts.filter((conflict) => topmost(conflict).by === edit.by)),
  );
}

/**
 * S1 of 3.2, step 2. S2 is taken over the conflicts too, as 3.2 allows: past the item's own history alone,
 * one of the endpoint's earlier versions in a conflict could subsume the new one, and the edit would be lost.
 * For the same reason it is taken over what the endpoint has issued, of which the item may know nothing any
 * more.
 */
function nextSequence(item: Item, updates: number, { by, issued = 0 }: Author): number {
  const used = by === undefined ? 0 : Knowledge.of([item, ...item.conflicts]).greatest(by);
  return sequenceAfter(item.sync.id, updates, by, Math.max(used, issued));
}

function sequenceAfter(id: ItemId, updates: number, by: string | undefined, used = 0): number {
  const sequence = Math.max(updates, used + 1);
  if (sequence > maximumCount) {
    throw new EditLimitError(
      `the item ${id} has reached the limit of ${maximumCount} for "sequence" by ${by} (FeedSync 2.5)`,
    );
  }
  return sequence;
}
