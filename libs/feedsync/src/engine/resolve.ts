import type { Author } from './author.ts';
import { editItem } from './edit.ts';
import { absorbConflicts } from './history.ts';
import type { Item } from './item.ts';

/**
 * How to resolve conflicts of an item (3.4). Conflicts are named by their place in the item's `conflicts`,
 * from 0.
 */
export interface Resolution<Data> extends Author {
  /** Whose state becomes the item's: content and whether it is deleted. */
  readonly keep: 'winner' | { readonly conflict: number };
  /** New content in place of the kept one's; the item is then not deleted, unless `deleted` says so. */
  readonly data?: Data;
  readonly deleted?: boolean;
  /** The conflicts that are resolved by this; all by default. The kept one always is. */
  readonly conflicts?: readonly number[];
}

/** A resolution that names conflicts which are missing, or none. */
export class ResolutionError extends Error {
  override readonly name = 'ResolutionError';
}

/**
 * Resolves conflicts (3.4): updates the item (3.2) with the chosen state and merges the resolved conflicts
 * into its history. The endpoint's own conflicts are resolved by any update. Throws ResolutionError, and
 * EditError as `updateItem` does.
 */
export function resolveItem<Data>(item: Item<Data>, resolution: Resolution<Data>): Item<Data> {
  const kept = resolution.keep === 'winner' ? item : conflictAt(item, resolution.keep.conflict);
  const resolved = new Set(
    (resolution.conflicts ?? [...item.conflicts.keys()]).map((index) => conflictAt(item, index)),
  );
  if (kept !== item) resolved.add(kept);
  if (resolved.size === 0)
    throw new ResolutionError(
      `a resolution resolves at least one conflict; the item ${item.sync.id} has ` +
        `${item.conflicts.length}, none was named`,
    );
  const { data, when, by, issued } = resolution;
  const deleted = resolution.deleted ?? (data === undefined && kept.sync.deleted);
  return absorbConflicts(
    editItem(item, { data: data === undefined ? kept.data : data, when, by, issued }, deleted),
    resolved,
  );
}

function conflictAt<Data>(item: Item<Data>, index: number): Item<Data> {
  const conflict = item.conflicts[index];
  if (conflict === undefined)
    throw new ResolutionError(
      `the item ${item.sync.id} has ${item.conflicts.length} conflicts, counted from 0; there is no ` +
        `conflict ${index}`,
    );
  return conflict;
}
