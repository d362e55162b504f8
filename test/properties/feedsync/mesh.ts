import fc from 'fast-check';
import {
  cleanUpHistory,
  createItem,
  deleteItem,
  merge,
  resolveItem,
  undeleteItem,
  updateItem,
  type Item,
} from '#feedsync';
import { itemId } from '#core';

/** One thing that happens in a mesh; numbers are taken modulo what there is. */
export type Happening =
  | {
      readonly kind: 'update' | 'delete' | 'undelete';
      readonly at: number;
      readonly clock: number;
      readonly skip: number;
    }
  | {
      readonly kind: 'resolve';
      readonly at: number;
      readonly clock: number;
      readonly keep: number;
      readonly finalize: number;
      readonly fresh: boolean;
    }
  | { readonly kind: 'cleanUp'; readonly at: number }
  /**
   * `age` 0 is the newest state that `from` has published, 1 the one before: repeated and reordered
   * deliveries.
   */
  | { readonly kind: 'deliver'; readonly from: number; readonly at: number; readonly age: number };

/**
 * Honest endpoints that share one item: each edits under its own name by the rules of 3.1, 3.2 and 3.4, keeps
 * what it has published, and merges whatever reaches it, however late or often. All but the last have heard
 * of the item at the start.
 */
export class Mesh {
  readonly #outboxes: Item<string>[][];
  readonly #noconflicts: boolean;
  /** Every version that was ever written, as `by sequence`. */
  readonly written: { readonly by: string; readonly sequence: number }[] = [];

  constructor(endpoints: number, noconflicts: boolean) {
    this.#outboxes = Array.from({ length: endpoints }, () => []);
    this.#noconflicts = noconflicts;
    const item = createItem({
      id: itemId('item'),
      data: 'created',
      by: this.#name(0),
      when: time(0),
      ...(noconflicts && { noconflicts }),
    });
    for (let at = 0; at < Math.max(1, endpoints - 1); at += 1) this.#publish(at, item);
    this.#record(0);
  }

  /** Every state that any endpoint was ever in. */
  get published(): readonly Item<string>[] {
    return this.#outboxes.flat();
  }

  /** The newest state of each endpoint; undefined for one that has heard of nothing. */
  get states(): readonly (Item<string> | undefined)[] {
    return this.#outboxes.map((outbox) => outbox.at(-1));
  }

  happen(happening: Happening): void {
    const at = happening.at % this.#outboxes.length;
    if (happening.kind === 'deliver') {
      const outbox = this.#outboxes[happening.from % this.#outboxes.length] ?? [];
      const state = outbox[outbox.length - 1 - (happening.age % Math.max(outbox.length, 1))];
      if (state !== undefined) this.receive(at, state);
      return;
    }
    const item = this.#outboxes[at]?.at(-1);
    if (item === undefined) return;
    if (happening.kind === 'cleanUp') {
      this.#publish(at, {
        ...item,
        sync: cleanUpHistory(item.sync),
        conflicts: item.conflicts.map((conflict) => ({ ...conflict, sync: cleanUpHistory(conflict.sync) })),
      });
      return;
    }
    const edited = this.#edit(item, happening, this.#name(at));
    if (edited === undefined) return;
    this.#publish(at, edited);
    this.#record(at);
  }

  receive(at: number, state: Item<string>): void {
    const local = this.#outboxes[at]?.at(-1);
    const { item, changed } = merge(local, state);
    if (changed) this.#publish(at, item);
  }

  #edit(
    item: Item<string>,
    happening: Exclude<Happening, { kind: 'cleanUp' | 'deliver' }>,
    by: string,
  ): Item<string> | undefined {
    const author = { by, when: time(happening.clock) };
    const data = `${by} ${this.written.length}`;
    if (happening.kind === 'resolve') {
      const count = item.conflicts.length;
      if (count === 0) return undefined;
      const kept = happening.keep % (count + 1);
      const conflicts = [...item.conflicts.keys()].filter((index) => (happening.finalize >> index) % 2 === 1);
      const keep = kept === count ? 'winner' : ({ conflict: kept } as const);
      if (keep === 'winner' && conflicts.length === 0) conflicts.push(0);
      return resolveItem(item, { ...author, keep, conflicts, ...(happening.fresh && { data }) });
    }
    if (happening.kind === 'delete') return this.#skip(deleteItem(item, author), happening.skip);
    if (happening.kind === 'undelete')
      return this.#skip(undeleteItem(item, { ...author, data }), happening.skip);
    return this.#skip(updateItem(item, { ...author, data }), happening.skip);
  }

  /**
   * 3.2 lets S1 be any value above S2: other implementations may leave numbers out. Not with noconflicts:
   * there an endpoint forgets a version of its own that loses, so it could later take a smaller sequence than
   * that version had.
   */
  #skip(item: Item<string>, by: number): Item<string> {
    const [top, ...rest] = item.sync.history;
    if (top === undefined || this.#noconflicts) return item;
    return { ...item, sync: { ...item.sync, history: [{ ...top, sequence: top.sequence + by }, ...rest] } };
  }

  #publish(at: number, item: Item<string>): void {
    this.#outboxes[at]?.push(item);
  }

  #record(at: number): void {
    const top = this.#outboxes[at]?.at(-1)?.sync.history[0];
    if (top?.by !== undefined) this.written.push({ by: top.by, sequence: top.sequence });
  }

  #name(at: number): string {
    return `endpoint-${at}`;
  }
}

/** Clocks are wrong by any amount; few values, so that ties happen. */
function time(clock: number): string {
  return new Date(Date.UTC(2005, 4, 21) + clock * 1000).toISOString().replace('.000Z', 'Z');
}

const at = fc.nat(5);
const clock = fc.nat(3);
const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('update' as const, 'update' as const, 'delete' as const, 'undelete' as const),
      at,
      clock,
      skip: fc.constantFrom(0, 0, 0, 1, 5),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('resolve' as const),
      at,
      clock,
      keep: fc.nat(7),
      finalize: fc.nat(15),
      fresh: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cleanUp' as const), at }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('deliver' as const),
      from: at,
      at,
      age: fc.constantFrom(0, 0, 0, 1, 2, 5, 9),
    }),
  },
);

/** How a mesh of 2 to 6 endpoints comes about. */
export interface Story {
  readonly endpoints: number;
  readonly noconflicts: boolean;
  readonly happenings: readonly Happening[];
}

export const anyStory: fc.Arbitrary<Story> = fc.record({
  endpoints: fc.integer({ min: 2, max: 6 }),
  noconflicts: fc.constantFrom(false, false, false, true),
  happenings: fc.array(happening, { minLength: 10, maxLength: 60, size: 'max' }),
});

export function meshOf({ endpoints, noconflicts, happenings }: Story): Mesh {
  const mesh = new Mesh(endpoints, noconflicts);
  for (const happening of happenings) mesh.happen(happening);
  return mesh;
}
