import type { Item } from '#feedsync';
import {
  literalCleanUp,
  literalCreate,
  literalResolve,
  literalUpdate,
} from '../properties/feedsync/literal-edit.ts';
import type { LiteralAuthor } from '../properties/feedsync/literal-edit.ts';
import { literalMerge } from '../properties/feedsync/literal-merge.ts';
import type { Dice } from '../simulation/dice.ts';

/**
 * One item as each of 2 to 6 endpoints has it in the end; undefined for an endpoint that never heard of it.
 */
export type World = readonly (Item<string> | undefined)[];

/**
 * What an endpoint writes into its histories: some leave out `by`, some `when`, and some clocks are wrong by
 * years.
 */
interface Habits {
  readonly writesBy: boolean;
  readonly writesWhen: boolean;
  readonly skew: number;
  readonly cleansUp: boolean;
}

const names = ['a', 'B', 'c\uff5e', 'c\u{1f600}', '__proto__', 'f%20'];

/**
 * Lets endpoints edit, delete, resolve and hear of each other at random, all by the literal transcription.
 * @param id the item's
 */
export function randomWorld(id: string, dice: Dice): World {
  const states: (Item<string> | undefined)[] = Array.from({ length: 2 + dice.below(5) }, () => undefined);
  const habits = states.map((): Habits => {
    const style = dice.below(10);
    return {
      writesBy: style !== 0,
      writesWhen: style !== 1,
      skew: dice.pick([0, 0, 0, 1, -40, 5_000_000]),
      cleansUp: dice.below(4) === 0,
    };
  });
  let time = 0;
  const author = (at: number): LiteralAuthor => {
    const { writesBy = true, writesWhen = true, skew = 0 } = habits[at] ?? {};
    return { ...(writesWhen && { when: whenOf(time + skew) }), ...(writesBy && { by: names[at] }) };
  };
  states[0] = literalCreate(
    id,
    { data: `${id} created`, deleted: dice.below(12) === 0, ...author(0) },
    [undefined, undefined, undefined, undefined, false, true][dice.below(6)],
  );
  for (let step = 0; step < 30; step += 1) {
    time += dice.below(3);
    const at = dice.below(states.length);
    const item = states[at];
    if (item === undefined || dice.below(2) === 0) states[at] = hear(item, states[dice.below(states.length)]);
    else
      states[at] = edit(
        item,
        dice,
        { data: `${id} ${at} ${step}`, ...author(at) },
        habits[at]?.cleansUp === true,
      );
  }
  return states;
}

/** What an endpoint has after an incoming item (3.3). */
export function hear(
  local: Item<string> | undefined,
  incoming: Item<string> | undefined,
): Item<string> | undefined {
  if (local === undefined || incoming === undefined) return local ?? incoming;
  const { W, M } = literalMerge(local, incoming);
  const versions = M.map((version) => ({ ...version, conflicts: [] })) as Item<string>[];
  const winner = versions[M.indexOf(W)];
  if (winner === undefined) throw new Error('the winner is not among the versions that were kept');
  return {
    ...winner,
    conflicts: winner.sync.noconflicts === true ? [] : versions.filter((version) => version !== winner),
  };
}

function edit(
  item: Item<string>,
  dice: Dice,
  author: LiteralAuthor & { data: string },
  cleansUp: boolean,
): Item<string> {
  const deleted = dice.below(4) === 0;
  const wanted = item.conflicts.filter(() => dice.below(2) === 0);
  const edited =
    item.conflicts.length > 0 && dice.below(2) === 0
      ? literalResolve(item, { ...author, deleted }, wanted)
      : literalUpdate(item, { ...author, deleted });
  return cleansUp ? { ...edited, sync: literalCleanUp(edited.sync) } : edited;
}

function whenOf(seconds: number): string {
  return new Date(Date.UTC(2005, 4, 21) + seconds * 1000).toISOString().replace('.000Z', 'Z');
}
