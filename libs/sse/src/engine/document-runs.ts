import { firstKey } from './key.ts';
import { isWaiting } from './position.ts';
import type { Placed, Steps } from '#core';
import { compareSiblings } from './sibling-order.ts';

/**
 * The runs of waiting siblings that a document has shown next to one another, between two siblings with keys
 * in this order or an open end (3.2). Each comes with the siblings around it, in order, so that what stands
 * between these by now is left out of account.
 *
 * Where both ends are open the document has shown no other sibling: it may be a partial one. Its place is
 * given by the keys that items of the run have had. A run without any is put where the first item below a
 * parent is, if the siblings begin there: then both endpoints have begun with nothing.
 */
export function* documentRuns(siblings: readonly Placed[]): Steps<Placed[][]> {
  const known = new Map<string, Placed>();
  let lowest: Placed | undefined;
  for (const item of siblings) {
    known.set(item.id, item);
    if (!isWaiting(item) && (lowest === undefined || compareSiblings(item, lowest) < 0)) lowest = item;
    yield;
  }
  const runs: Placed[][] = [];
  for (const item of siblings) {
    yield;
    if (!isWaiting(item) || item.position.after === undefined) continue;
    const low = endAt(item.position.after || undefined, known);
    if (low === undefined) continue;
    const run = yield* runFrom(item, known);
    const high = endAt(run.at(-1)?.position.before, known);
    if (high === undefined) continue;
    const [before] = low;
    const [after] = high;
    const isBetween = before !== undefined && after !== undefined;
    if (isBetween) {
      if (compareSiblings(before, after) < 0) runs.push([before, ...run, after]);
    } else if (
      before !== undefined ||
      after !== undefined ||
      run.some(({ position }) => position.key !== undefined)
    )
      runs.push([...low, ...run, ...high]);
    else if (lowest?.position.key === firstKey)
      runs.push([{ ...item, position: { ...item.position, key: firstKey } }, ...run.slice(1)]);
  }
  return runs;
}

/** The sibling that ends a run; none if the end is open, undefined if it is no sibling with a key. */
function endAt(id: string | undefined, known: ReadonlyMap<string, Placed>): readonly Placed[] | undefined {
  if (id === undefined) return [];
  const end = known.get(id);
  return end === undefined || isWaiting(end) ? undefined : [end];
}

/** A waiting item and those that the document has shown after it, as long as they wait too. */
function* runFrom(first: Placed, known: ReadonlyMap<string, Placed>): Steps<Placed[]> {
  const run: Placed[] = [];
  for (let item: Placed | undefined = first; item !== undefined;) {
    run.push(item);
    const next: Placed | undefined =
      item.position.before === undefined ? undefined : known.get(item.position.before);
    item = next !== undefined && isWaiting(next) && next.position.after === item.id ? next : undefined;
    yield;
  }
  return run;
}
