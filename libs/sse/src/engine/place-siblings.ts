import { compareCodePoints, sorted } from '#core';
import { documentRuns } from './document-runs.ts';
import { groups } from './groups.ts';
import { keysBetween } from './keys-between.ts';
import { isWaiting } from './position.ts';
import type { ItemId, Placed, Steps } from '#core';
import { compareSiblings, sortedSiblings } from './sibling-order.ts';

/**
 * The keys of the waiting items below one parent (3.2). An item whose location is given by siblings with keys
 * on both sides, or the open end, gets the key that an endpoint which puts an item there gives it, whatever
 * else has been put there: so the ids decide.
 *
 * Any other comes right after the item that its `after` names: first if that is empty, last if no
 * sibling has this id; several after the same one in order of id, each followed by those after it. A key that
 * is right already is kept.
 */
export function* placeSiblings(siblings: readonly Placed[]): Steps<Map<ItemId, string>> {
  const keys = new Map<ItemId, string>();
  for (const run of yield* documentRuns(siblings)) yield* addKeysAlong(run, keys);
  const rest: Placed[] = [];
  for (const item of siblings) {
    const key = keys.get(item.id);
    rest.push(key === undefined ? item : { id: item.id, position: { key } });
    yield;
  }
  yield* addKeysAlong(yield* inSequence(rest), keys);
  return keys;
}

/** Adds the keys of the waiting items in a sequence, between those of the others. */
function* addKeysAlong(sequence: readonly Placed[], keys: Map<ItemId, string>): Steps<void> {
  const standing = yield* standingKeys(sequence);
  let run: Placed[] = [];
  let low: Placed | undefined;
  const fill = function* (high?: Placed): Steps<void> {
    const made = yield* keysBetween(run.length, low, high);
    for (const [index, { id }] of run.entries()) {
      keys.set(id, made[index] ?? '');
      yield;
    }
    run = [];
  };
  for (const item of sequence) {
    yield;
    const key = standing.get(item.id);
    if (key === undefined) run.push(item);
    else {
      const placed = { id: item.id, position: { key } };
      if (run.length > 0) yield* fill(placed);
      low = placed;
      if (isWaiting(item)) keys.set(item.id, key);
    }
  }
  yield* fill();
}

/** The siblings in the order that they shall have. */
function* inSequence(siblings: readonly Placed[]): Steps<Placed[]> {
  const ids = new Set<string>();
  const [standing, waiting]: [Placed[], Placed[]] = [[], []];
  for (const item of siblings) {
    ids.add(item.id);
    (isWaiting(item) ? waiting : standing).push(item);
    yield;
  }
  const byId = yield* sorted(waiting, (a, b) => compareCodePoints(a.id, b.id));
  const followers = yield* groups(byId, ({ position: { after } }) => after);
  const isLast = ({ position: { after } }: Placed): boolean =>
    after === undefined || (after !== '' && !ids.has(after));
  const sequence = new Set<Placed>();
  const starts = [
    followers.get('') ?? [],
    yield* sortedSiblings(standing),
    byId.filter(isLast),
    // Those whose `after`s name each other in a ring.
    byId,
  ];
  for (const start of starts.flat()) {
    const stack = [start];
    for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
      yield;
      if (sequence.has(item)) continue;
      sequence.add(item);
      for (const follower of (followers.get(item.id) ?? []).toReversed()) stack.push(follower);
    }
  }
  return [...sequence];
}

/**
 * The keys that stay: of all that wait for none, and of the others where it stands right between those before
 * and after.
 */
function* standingKeys(sequence: readonly Placed[]): Steps<Map<ItemId, string>> {
  const next = new Map<Placed, Placed>();
  let following: Placed | undefined;
  for (const item of sequence.toReversed()) {
    if (following !== undefined) next.set(item, following);
    if (!isWaiting(item)) following = item;
    yield;
  }
  const standing = new Map<ItemId, string>();
  let before: Placed | undefined;
  for (const item of sequence) {
    yield;
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
