import type { HistoryEntry, Item } from '#feedsync';

/** What the steps of 3.3 end with: the winner, and every version that was kept (the winner among them). */
export interface LiteralResult {
  readonly W: Item;
  readonly M: readonly Item[];
}

/**
 * FeedSync 1.0.2, section 3.3, steps 2 to 9 and the choice of step 10 and 11, word by word and slow. The one
 * departure comes before the algorithm and is marked. Shares no code with the engine.
 */
export function literalMerge(local: Item, incoming: Item): LiteralResult {
  // 2. Create a collection L and populate it with the local item and the local item's conflicts
  let L: Item[] = [];
  // 2.1 for each item sub-element of sx:conflicts: add it to L; 2.2 remove sx:conflicts; 2.3 add the local
  // item to L
  for (const conflict of local.conflicts) L.push(conflict);
  L.push(local);
  // 3. Create a collection I and populate it with the incoming item and the incoming item's conflicts
  let I: Item[] = [];
  for (const conflict of incoming.conflicts) I.push(conflict);
  I.push(incoming);

  // DEPARTURE. A version counts once on each side (the item itself before its conflicts, an earlier conflict
  // before a later one), and one that both sides hold is the local object on both.
  L = L.filter((X) => X === [local, ...local.conflicts].find((Y) => isSameVersion(X, Y)));
  I = I.filter((X) => X === [incoming, ...incoming.conflicts].find((Y) => isSameVersion(X, Y)));
  I = I.map((X) => L.find((Y) => isSameVersion(X, Y)) ?? X);

  // 4. Create a collection M that will be used to contain items that will appear in the merged result feed
  const M: Item[] = [];
  // 5. Create a reference W for the current 'winning' item and set it to an unassigned value
  let W: Item | undefined;
  // 7. For each item X in the outer collection
  const step7 = (outer: Item[], inner: Item[]): Item[] => {
    const remaining = [...outer];
    nextX: for (const X of outer) {
      // 7.1 For each item Y in the inner collection
      for (const Y of inner) {
        // 7.1.1 Determine if X is subsumed by Y; if so remove X from the outer collection, process the next
        // item in it
        if (isSubsumed(X, Y)) {
          remaining.splice(remaining.indexOf(X), 1);
          continue nextX;
        }
      }
      // 7.2 Add X to M
      M.push(X);
      // 7.3 If W has not been assigned a value, set W to X; process the next item in the outer collection
      if (W === undefined) {
        W = X;
        continue;
      }
      // 7.4 Determine if X should be declared as the new 'winning' item; if so set W to X
      if (isWinning(X, W)) W = X;
    }
    return remaining;
  };
  // 6. Using L as the outer collection and I as the inner collection, perform the following step
  L = step7(L, I);
  // 8. Using I as the outer collection and L as the inner collection, perform step 7 again
  I = step7(I, L);
  // 9. Add W to the merge result feed
  if (W === undefined) throw new Error('no version was kept');
  return { W, M };
}

/** Equal `updates` and equal topmost history: the decision that stands before the algorithm. */
function isSameVersion(X: Item, Y: Item): boolean {
  const [HX, HY] = [topmost(X), topmost(Y)];
  return (
    X.sync.updates === Y.sync.updates && HX.sequence === HY.sequence && HX.when === HY.when && HX.by === HY.by
  );
}

function topmost(X: Item): HistoryEntry {
  const [H] = X.sync.history;
  if (H === undefined) throw new Error('an item without a history');
  return H;
}

/** Footnote 1, item subsumption. */
function isSubsumed(X: Item, Y: Item): boolean {
  // 1. Set HX as the topmost sx:history sub-element of X
  const HX = topmost(X);
  // 2. For each sx:history sub-element HY of item Y: 2.1 compare HX with HY to see if HX is subsumed by HY
  for (const HY of Y.sync.history) if (isHistorySubsumed(HX, HY)) return true;
  // 3. otherwise X is not subsumed by Y
  return false;
}

/** Footnote 2, history subsumption. */
function isHistorySubsumed(HX: HistoryEntry, HY: HistoryEntry): boolean {
  // 1. If a by attribute exists for HX: 1.1 HY has the same by, and an equal or greater sequence
  if (HX.by !== undefined && HY.by === HX.by && HY.sequence >= HX.sequence) return true;
  // 2. If no by attribute exists for HX: 2.1 none exists for HY, and when and sequence match
  if (HX.by === undefined && HY.by === undefined && HX.when === HY.when && HX.sequence === HY.sequence)
    return true;
  // 3. otherwise HX is not subsumed by HY
  return false;
}

/** Footnote 3, winner picking: whether X is the 'winning' item between X and Y. */
export function isWinning(X: Item, Y: Item): boolean {
  const [HX, HY] = [topmost(X), topmost(Y)];
  // 1. X has a greater updates value than Y
  if (X.sync.updates > Y.sync.updates) return true;
  // 2. X has the same updates value as Y
  if (X.sync.updates === Y.sync.updates) {
    // 2.1 X has a when attribute for the topmost history and Y does not
    if (HX.when !== undefined && HY.when === undefined) return true;
    // 2.2 X has a when that is chronologically later than Y's
    if (HX.when !== undefined && HY.when !== undefined && isLater(HX.when, HY.when)) return true;
    // 2.3 X has the same when as Y (none on both sides counts as the same)
    if (HX.when === HY.when) {
      // 2.3.1 X has a by and Y does not
      if (HX.by !== undefined && HY.by === undefined) return true;
      // 2.3.2 X has a by that collates greater than Y's
      if (HX.by !== undefined && HY.by !== undefined && collatesGreater(HX.by, HY.by)) return true;
    }
  }
  // 3. Y is the 'winning' item
  return false;
}

/**
 * Whether a date-time of 2.1.5 is later than another. The second 60 of a leap second comes after 59 and
 * before the next minute.
 */
function isLater(a: string, b: string): boolean {
  const numbers = (text: string): number[] => text.split(/[-T:Z]/).map(Number);
  const [x, y] = [numbers(a), numbers(b)];
  const different = x.findIndex((number, index) => number !== y[index]);
  return different >= 0 && (x[different] ?? 0) > (y[different] ?? 0);
}

/** 2.1.4: by the code point values of each character. */
function collatesGreater(a: string, b: string): boolean {
  const [x, y] = [Array.from(a), Array.from(b)];
  for (const [index, character] of x.entries()) {
    const other = y[index];
    if (other === undefined) return true;
    if (character !== other) return (character.codePointAt(0) ?? 0) > (other.codePointAt(0) ?? 0);
  }
  return false;
}
