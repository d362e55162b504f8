import type { HistoryEntry, Item, Sync } from '#feedsync';
import { itemId } from '#core';

/** Who edits and when; each may be missing, but not both (2.5). */
export interface LiteralAuthor {
  readonly when?: string;
  readonly by?: string;
}

/** What an update, a deletion or an undeletion sets. */
export interface LiteralEdit extends LiteralAuthor {
  readonly data: string;
  readonly deleted: boolean;
}

/** FeedSync 1.0.2, section 3.1, word by word. Shares no code with the engine. */
export function literalCreate(
  id: string,
  { data, deleted, when, by }: LiteralEdit,
  noconflicts?: boolean,
): Item<string> {
  // 1. Create a sx:sync element: 1.1 id, 1.2 updates 1, 1.3 optionally noconflicts, 1.4 optionally deleted
  const sync = { id: itemId(id), updates: 1, deleted, ...(noconflicts !== undefined && { noconflicts }) };
  // 2. Create a sx:history element: 2.1 sequence 1, 2.2 when and by, 2.3 add it as the topmost sub-element
  const H: HistoryEntry = {
    sequence: 1,
    ...(when !== undefined && { when }),
    ...(by !== undefined && { by }),
  };
  return { sync: { ...sync, history: [H] }, data, conflicts: [] };
}

/** Section 3.2, word by word, with S2 taken over the item's conflicts too, as step 2.3.2 allows. */
export function literalUpdate(item: Item<string>, { data, deleted, when, by }: LiteralEdit): Item<string> {
  // 1.1 Increment the updates attribute by 1
  const updates = item.sync.updates + 1;
  // 2.2 and 2.3.1 Set S1 to be the same value as the updates attribute
  let S1 = updates;
  if (by !== undefined) {
    // 2.3.2 Set S2 to be the greatest sequence of all sx:history with the same by
    let S2 = 0;
    for (const version of [item, ...item.conflicts])
      for (const H of version.sync.history) if (H.by === by && H.sequence > S2) S2 = H.sequence;
    // 2.3.3 If S1 <= S2, then set S1 to S2 + 1
    if (S1 <= S2) S1 = S2 + 1;
  }
  // 2.1, 2.4, 3. the new sx:history is the topmost
  const H: HistoryEntry = {
    sequence: S1,
    ...(when !== undefined && { when }),
    ...(by !== undefined && { by }),
  };
  let edited: Item<string> = {
    ...item,
    sync: { ...item.sync, updates, deleted, history: [H, ...item.sync.history] },
    data,
  };
  // 4. If by has been set and sx:conflicts is not empty: 4.1 for each X, 4.1.2 its topmost by is the same:
  // Merging Conflict Items
  if (by !== undefined)
    for (const X of item.conflicts) if (X.sync.history[0]?.by === by) edited = literalAbsorb(edited, X);
  return edited;
}

/** Section 3.4: an update with the resolved state, then Merging Conflict Items for what was factored in. */
export function literalResolve(
  item: Item<string>,
  edit: LiteralEdit,
  resolved: readonly Item<string>[],
): Item<string> {
  let edited = literalUpdate(item, edit);
  for (const X of resolved) if (edited.conflicts.includes(X)) edited = literalAbsorb(edited, X);
  return edited;
}

/** Footnote 4, Merging Conflict Items, for one X. */
function literalAbsorb(Y: Item<string>, X: Item<string>): Item<string> {
  // 3.2 Remove X from the sx:conflicts element
  const conflicts = Y.conflicts.filter((conflict) => conflict !== X);
  const [topmost, ...rest] = Y.sync.history;
  if (topmost === undefined) throw new Error('an item without a history');
  // 3.3 For each HX of SX that no Hy of SY subsumes: add it immediately after the topmost sx:history of SY
  let after = rest;
  for (const HX of X.sync.history)
    if (![topmost, ...after].some((Hy) => isHistorySubsumed(HX, Hy))) after = [HX, ...after];
  return { ...Y, sync: { ...Y.sync, history: [topmost, ...after] }, conflicts };
}

/**
 * 3.2 and 3.4, MAY: of the entries with the same by only the one with the highest sequence is retained; the
 * topmost always is.
 */
export function literalCleanUp(sync: Sync): Sync {
  const history = sync.history.filter(
    (H, index) =>
      index === 0 ||
      H.by === undefined ||
      !sync.history.some(
        (other, place) =>
          place !== index &&
          other.by === H.by &&
          (other.sequence > H.sequence || (other.sequence === H.sequence && place < index)),
      ),
  );
  return { ...sync, history };
}

/** Footnote 2, history subsumption. */
function isHistorySubsumed(HX: HistoryEntry, HY: HistoryEntry): boolean {
  if (HX.by !== undefined) return HY.by === HX.by && HY.sequence >= HX.sequence;
  return HY.by === undefined && HX.when === HY.when && HX.sequence === HY.sequence;
}
