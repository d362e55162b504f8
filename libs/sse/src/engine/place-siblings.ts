import { compareCodePoints } from '#core';
import { documentRuns } from './document-runs.ts';
import { groups } from './groups.ts';
import { keysBetween } from './keys-between.ts';
import { isWaiting } from './position.ts';
import type { ItemId, Placed } from '#core';
import { compareSiblings } from './sibling-order.ts';

/**
 * The keys of the waiting items below one parent (3.2). An item whose location is given by siblings with keys
 * on both sides, or the open end, gets the key that an endpoint which puts an item there gives it, whatever
 * else has been put there: so the ids decide.
 *
 * Any other comes right after the item that its `after` names: first if that is empty, last if no
 * sibling has this id; several after the same one in order of id, each followed by those after it. A key that
 * is right already is kept.
 */
export function placeSiblings(siblings: readonly Placed[]): Map<ItemId, string> {
  const keys = new Map(documentRuns(siblings).flatMap((run) => [...keysAlong(run)]));
  const rest = siblings.map((item) => {
    const key = keys.get(item.id);
    return key === undefined ? item : { id: item.id, position: { key } };
  });
  return new Map([...keys, ...keysAlong(inSequence(rest))]);
}

/** The keys of the waiting items in a sequence, between those of the others. */
function keysAlong(sequence: readonly Placed[]): Map<ItemId, string> {
  const standing = standingKeys(sequence);
  const keys = new Map<ItemId, string>();
  let run: Placed[] = [];
  let low: Placed | undefined;
  const fill = (high?: Placed): void => {
    const made = keysBetween(run.length, low, high);
    for (const [index, { id }] of run.entries()) keys.set(id, made[index] ?? '');
    run = [];
  };
  for (const item of sequence) {
    const key = standing.get(item.id);
    if (key === undefined) run.push(item);
    else {
      const placed = { id: item.id, position: { key } };
      fill(placed);
      low = placed;
      if (isWaiting(item)) keys.set(item.id, key);
    }
  }
  fill();
  return keys;
}

/** The siblings in the order that they shall have. */
function inSequence(siblings: readonly Placed[]): Placed[] {
  const fixed = siblings.filter((item) => !isWaiting(item)).sort(compareSiblings);
  const waiting = siblings.filter(isWaiting).sort((a, b) => compareCodePoints(a.id, b.id));
  const ids = new Set<string>(siblings.map(({ id }) => id));
  const last = waiting.filter(
    ({ position: { after } }) => after !== '' && (after === undefined || !ids.has(after)),
  );
  const followers = groups(waiting, ({ position: { after } }) => after);
  const sequence = new Set<Placed>();
  const append = (items: readonly Placed[]): void => {
    const stack = items.toReversed();
    for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
      if (sequence.has(item)) continue;
      sequence.add(item);
      for (const follower of (followers.get(item.id) ?? []).toReversed()) stack.push(follower);
    }
  };
  append(followers.get('') ?? []);
  append(fixed);
  append(last);
  append(waiting); // Those whose `after`s name each other in a ring.
  return [...sequence];
}

/**
 * The keys that stay: of all that wait for none, and of the others where it stands right between those before
 * and after.
 */
function standingKeys(sequence: readonly Placed[]): Map<ItemId, string> {
  const next = new Map<Placed, Placed>();
  let following: Placed | undefined;
  for (const item of sequence.toReversed()) {
    if (following !== undefined) next.set(item, following);
    if (!isWaiting(item)) following = item;
  }
  const standing = new Map<ItemId, string>();
  let before: Placed | undefined;
  for (const item of sequence) {
    const after = next.get(item);
    const fits =
      !isWaiting(item) ||
      ((before === undefined || compareSiblings(before, item) < 0) &&
        (after === undefined || compareSiblings(item, after) < 0));
    if (item.position.key === undefined || !fits) continue;
    standing.set(item.id, item.position.key);
    before = item;
  }
  return standing;
}
