import type { Conflict, Item, Modification } from '#sse';

/**
 * SSE 0.91, sections 4.4, 4.4.1 and 5.2, word by word and slow. The departures are marked. Shares no code
 * with the engine. Returns the item that the merge leaves; its conflicts are in no order.
 */
export function literalMerge(local: Item, incoming: Item): Item {
  // 4.4, 1. the "winner" is determined by a collation using comparison of these four keys, in order
  const collation = collate(local, incoming);
  // 4.4, 2. If the collation results in equality on all tests, the two items are deemed to be identical and
  // no action is required DEPARTURE. What only grows is joined, so that endpoints end with the same.
  if (collation === 0) return joined(local, incoming);
  const [winner, loser] = collation > 0 ? [local, incoming] : [incoming, local];
  // 4.4, 3. Now that a "winner" and a "loser" have been declared, one MUST detect [...] conflict detection
  // 4.4.1, 2. else if a conflict is not detected, the value of the conflict attribute MUST be preserved
  if (!detectConflict(winner, loser)) return winner;
  // 4.4.1, 2. If a conflict is detected, the conflict attribute on the sx:sync element MUST be set to "true"
  const sync = { ...winner.sync, conflict: true };
  const conflicts = [...winner.conflicts];
  // 5.2 a sx:conflict sub-element is created by duplicating information from the loser's sx:history element
  const [history] = loser.sync.history;
  maintain(conflicts, {
    version: loser.sync.version,
    when: history?.when,
    by: history?.by,
    item: { ...loser, conflicts: [] },
  });
  // DEPARTURE. The loser's own conflicts are kept too, but for those that the winner has seen: the text is
  // silent.
  for (const conflict of loser.conflicts) if (!isSeen(winner, conflict)) maintain(conflicts, conflict);
  return { ...winner, sync, conflicts };
}

/** 4.4, step 1: more than 0 if X is the winner, 0 for equality on all tests. */
export function collate(X: Item, Y: Item): number {
  // 1.1 the version attribute of the sx:sync element (larger version number wins)
  if (X.sync.version > Y.sync.version) return 1;
  if (X.sync.version < Y.sync.version) return -1;
  const [HX, HY] = [X.sync.history[0], Y.sync.history[0]];
  // 1.2 the when attribute of the sx:history element (if it is present on one and not present on the other,
  // present wins; later wins)
  if (HX?.when !== undefined && HY?.when === undefined) return 1;
  if (HX?.when === undefined && HY?.when !== undefined) return -1;
  if (timeOf(HX) > timeOf(HY)) return 1;
  if (timeOf(HX) < timeOf(HY)) return -1;
  // 1.3 the by attribute of the sx:history element (if it is present on one [...], present wins; "greater"
  // normalized text wins)
  if (HX?.by !== undefined && HY?.by === undefined) return 1;
  if (HX?.by === undefined && HY?.by !== undefined) return -1;
  return collateText(textOf(HX), textOf(HY));
}

/** 4.4.1, step 1. */
export function detectConflict(winner: Item, loser: Item): boolean {
  // 1.1 Let n equal the version attribute of the winner's sx:sync element
  let n = winner.sync.version;
  // 1.2 Decrement n by the current version attribute of the loser's sx:sync item
  n -= loser.sync.version;
  // 1.3 Compare [...] the nth (1-based) sx:update sub-element of the winner. If n is 0, compare against the
  // sx:history element
  const [sxHistory, ...sxUpdates] = winner.sync.history;
  const compared = n === 0 ? sxHistory : sxUpdates[n - 1];
  // 1.4 If the nth sx:update sub-element does not exist, assume NO CONFLICT
  if (compared === undefined) return false;
  // 1.5 If attribute values are equal, there is NO CONFLICT;  1.6 If they are not equal it is a CONFLICT
  return !areEqual(compared, loser.sync.history[0]);
}

/** 5.2, the second paragraph and the third: adds a conflict to a list. */
function maintain(conflicts: Conflict[], added: Conflict): void {
  for (const [index, existing] of conflicts.entries()) {
    // always seek to maintain only a single such element for a given by; If no by value exists for the either
    // element: likewise
    if (textOf(existing) !== textOf(added)) continue;
    // an element with the same by value but a lower version number: that sub-element is replaced with the new
    // one
    if (existing.version < added.version) conflicts[index] = added;
    // In the event that version numbers are equal, if the existing element has lower when date, that
    // sub-element is replaced
    else if (existing.version === added.version && timeOf(existing) < timeOf(added)) conflicts[index] = added;
    // DEPARTURE. Of two elements for one modification both items are joined.
    else if (
      existing.version === added.version &&
      timeOf(existing) === timeOf(added) &&
      existing.item !== undefined &&
      added.item !== undefined
    ) {
      conflicts[index] = { ...existing, item: joined(existing.item, added.item) };
    }
    return;
  }
  conflicts.push(added);
}

/** The first departure; no positions. */
function joined(local: Item, incoming: Item): Item {
  const conflicts = [...local.conflicts];
  for (const conflict of incoming.conflicts) maintain(conflicts, conflict);
  const history =
    incoming.sync.history.length > local.sync.history.length ? incoming.sync.history : local.sync.history;
  return {
    ...local,
    sync: { ...local.sync, conflict: local.sync.conflict || incoming.sync.conflict, history },
    conflicts,
  };
}

/** Whether a conflict is one of the updates that led to the winner. */
function isSeen(winner: Item, { version, when, by }: Conflict): boolean {
  return winner.sync.history.some(
    (update, n) => winner.sync.version - n === version && areEqual(update, { when, by }),
  );
}

function areEqual(a: Modification | undefined, b: Modification | undefined): boolean {
  return timeOf(a) === timeOf(b) && textOf(a) === textOf(b);
}

/** 2.4: If this attribute is omitted the value defaults to the earliest time representable. */
function timeOf(modification: Modification | undefined): number {
  return modification?.when === undefined ? -Infinity : Date.parse(modification.when);
}

/** 2.4: If this attribute is omitted the value defaults to the empty string. */
function textOf(modification: Modification | undefined): string {
  return modification?.by?.normalize('NFC') ?? '';
}

function collateText(a: string, b: string): number {
  const [x, y] = [Array.from(a), Array.from(b)];
  for (const [index, character] of x.entries()) {
    const other = y[index];
    if (other === undefined) return 1;
    if (character !== other) return (character.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
  }
  return x.length - y.length;
}
