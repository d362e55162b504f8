import type { EditMark, StoredItem } from '#core';
import { KeyReusedError } from '#protocol';

/** An edit under a key of its sender, who may send it again without knowing whether it has been stored. */
export interface KeyedEdit {
  /** The digest of the key. */
  readonly key: string;
  /** The digest of all that the edit says. */
  readonly request: string;
  /** How long, and at most how many, the keys of one item are kept. */
  readonly keep: { readonly seconds: number; readonly count: number };
}

/**
 * Whether an edit is one that the item already has, as its mark shows, which is stored in the same write.
 * @throws KeyReusedError if the key was that of another edit
 */
export function isStoredEdit(
  stored: StoredItem | undefined,
  keyed: KeyedEdit | undefined,
  now: Date,
): boolean {
  if (stored === undefined || keyed === undefined) return false;
  const mark = currentMarks(stored, keyed, now).find(({ key }) => key === keyed.key);
  if (mark !== undefined && mark.request !== keyed.request) throw new KeyReusedError();
  return mark !== undefined;
}

/** The marks that an item has after an edit under a key. */
export function marksAfter(stored: StoredItem | undefined, keyed: KeyedEdit, now: Date): readonly EditMark[] {
  const { key, request, keep } = keyed;
  return [...currentMarks(stored, keyed, now), { key, request, at: now }].slice(-keep.count);
}

function currentMarks(stored: StoredItem | undefined, { keep }: KeyedEdit, now: Date): readonly EditMark[] {
  const oldest = now.getTime() - keep.seconds * 1000;
  return (stored?.edits ?? []).filter(({ at }) => at.getTime() >= oldest);
}
