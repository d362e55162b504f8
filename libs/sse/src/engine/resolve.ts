import { ResolutionError } from '#feedsync';
import type { Author } from './author.ts';
import { updateItem } from './edit.ts';
import type { Item } from './item.ts';

/**
 * How to resolve the conflicts of an item (5). All of them are resolved by it, for an update removes them
 * (4.2, step 4).
 */
export interface Resolution<Data> extends Author {
  /**
   * Whose state becomes the item's: content, place and whether it is deleted. A conflict is named by its
   * index in the item's `conflicts`, from 0.
   */
  readonly keep: 'winner' | { readonly conflict: number };
  /** New content in place of the kept one's; the item is then not deleted. */
  readonly data?: Data;
  /** As for an update. */
  readonly updatesKept?: number;
}

/**
 * Resolves the conflicts of an item by an update with the chosen state (5, 4.2). A conflict whose place has
 * no key yet leaves the item where it is. Throws ResolutionError if the item has no conflict, or the named
 * one is missing or holds no item; EditError and EditLimitError as `updateItem` does.
 */
export function resolveItem<Data>(
  item: Item<Data>,
  { keep, data, when, by, issued, updatesKept }: Resolution<Data>,
): Item<Data> {
  if (!item.sync.conflict && item.conflicts.length === 0)
    throw new ResolutionError(`the item ${item.sync.id} has no conflict to resolve`);
  const kept = keep === 'winner' ? item : conflictingItem(item, keep.conflict);
  const position = kept.position?.after === undefined ? kept.position : item.position;
  const deleted = data === undefined && kept.sync.deleted;
  return updateItem(item, {
    data: data === undefined ? kept.data : data,
    deleted,
    position,
    when,
    by,
    issued,
    updatesKept,
  });
}

function conflictingItem<Data>(item: Item<Data>, index: number): Item<Data> {
  const conflict = item.conflicts[index];
  if (conflict === undefined)
    throw new ResolutionError(
      `the item ${item.sync.id} has ${item.conflicts.length} conflicts, counted from 0; there is no ` +
        `conflict ${index}`,
    );
  if (conflict.item === undefined)
    throw new ResolutionError(
      `the conflict ${index} of the item ${item.sync.id} holds no item (SSE 5.2); it can't be kept`,
    );
  return conflict.item;
}
