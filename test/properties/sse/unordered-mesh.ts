import fc from 'fast-check';
import { createItem, merge, resolveItem, updateItem } from '#sse';
import type { Item } from '#sse';
import { itemId } from '#core';

/** Who signs an edit: both attributes, or one of them (2.4). */
export type Signature = 'both' | 'by' | 'when';

/** What can happen to a collection; `at` is an endpoint. */
export type Happening = Creation | Update | Resolution | Truncation | Delivery;

interface Creation {
  readonly kind: 'create';
  readonly at: number;
  readonly clock: number;
}

interface Update {
  readonly kind: 'update' | 'delete';
  readonly at: number;
  readonly item: number;
  readonly clock: number;
  readonly updatesKept: number | undefined;
}

interface Resolution {
  readonly kind: 'resolve';
  readonly at: number;
  readonly item: number;
  readonly clock: number;
  readonly keep: number;
  readonly fresh: boolean;
}

/** An endpoint that truncates a history without an update. */
interface Truncation {
  readonly kind: 'truncate';
  readonly at: number;
  readonly item: number;
  readonly updatesKept: number;
}

/** Of the states that `from` has had of one item, or of all of them: the newest, or an earlier one. */
interface Delivery {
  readonly kind: 'deliver';
  readonly from: number;
  readonly at: number;
  readonly item: number | undefined;
  readonly age: number;
}

/** How a mesh of 2 to 5 endpoints comes about. */
export interface Story {
  readonly signatures: readonly Signature[];
  readonly happenings: readonly Happening[];
}

/**
 * Endpoints that share an unordered collection: each edits under its own name, and merges whatever reaches
 * it.
 */
export class UnorderedMesh {
  readonly #signatures: readonly Signature[];
  /** For each endpoint the states that each item has had, the newest last. */
  readonly #collections: readonly Map<string, Item<string>[]>[];
  #edits = 0;

  constructor(signatures: readonly Signature[]) {
    this.#signatures = signatures;
    this.#collections = signatures.map(() => new Map());
    this.happen({ kind: 'create', at: 0, clock: 0 });
    for (let at = 1; at < signatures.length; at += 1) this.deliverAll(0, at);
  }

  /** Each endpoint's items by id. */
  get states(): readonly ReadonlyMap<string, Item<string>>[] {
    return this.#collections.map(
      (collection) => new Map([...collection].map(([id, states]) => [id, states.at(-1) as Item<string>])),
    );
  }

  /** Every state that any item was ever in anywhere, those of one id together. */
  get past(): readonly (readonly Item<string>[])[] {
    const ids = new Set(this.#collections.flatMap((collection) => [...collection.keys()]));
    return [...ids].map((id) => this.#collections.flatMap((collection) => collection.get(id) ?? []));
  }

  happen(happening: Happening): void {
    const at = happening.at % this.#collections.length;
    if (happening.kind === 'create')
      this.#keep(at, createItem({ id: itemId(`item${this.#edits}`), ...this.#edit(at, happening.clock) }));
    else if (happening.kind === 'deliver')
      this.#deliver(happening.from % this.#collections.length, at, happening);
    else this.#change(at, happening);
  }

  /** A complete delivery. Returns whether it changed anything. */
  deliverAll(from: number, at: number): boolean {
    const collection = this.#collections[from] ?? new Map<string, Item<string>[]>();
    return [...collection.values()].map((states) => this.#receive(at, states.at(-1))).includes(true);
  }

  #deliver(from: number, at: number, { item, age }: Delivery): void {
    const histories = [...(this.#collections[from]?.values() ?? [])];
    const delivered = item === undefined ? histories : histories.slice(item % histories.length).slice(0, 1);
    for (const states of delivered) this.#receive(at, states[Math.max(0, states.length - 1 - age)]);
  }

  #change(at: number, happening: Update | Resolution | Truncation): void {
    const items = [...(this.#collections[at]?.values() ?? [])];
    const item = items[happening.item % items.length]?.at(-1);
    if (item === undefined) return;
    if (happening.kind === 'truncate') {
      this.#keep(at, {
        ...item,
        sync: { ...item.sync, history: item.sync.history.slice(0, 1 + happening.updatesKept) },
      });
      return;
    }
    const { data, ...author } = this.#edit(at, happening.clock);
    if (happening.kind !== 'resolve') {
      const { kind, updatesKept } = happening;
      this.#keep(
        at,
        updateItem(item, { ...author, updatesKept, ...(kind === 'update' ? { data } : { deleted: true }) }),
      );
    } else if (item.sync.conflict) {
      const kept = happening.keep % (item.conflicts.length + 1);
      const keep = kept === item.conflicts.length ? 'winner' : ({ conflict: kept } as const);
      this.#keep(at, resolveItem(item, { ...author, keep, ...(happening.fresh && { data }) }));
    }
  }

  #receive(at: number, state: Item<string> | undefined): boolean {
    if (state === undefined) return false;
    const { item, changed } = merge(this.#collections[at]?.get(state.sync.id)?.at(-1), state);
    if (changed) this.#keep(at, item);
    return changed;
  }

  /** Without `by` the clock never shows the same twice: by 4.4, step 2, such edits would be identical. */
  #edit(at: number, clock: number): { data: string; when?: string; by?: string } {
    this.#edits += 1;
    const signature = this.#signatures[at];
    const seconds = signature === 'when' ? 1000 * clock + this.#edits : 1000 * clock;
    const when = new Date(Date.UTC(2005, 4, 21) + seconds * 1000).toISOString().replace('.000Z', 'Z');
    const by = `endpoint-${at}`;
    return {
      data: `edit ${this.#edits}`,
      ...(signature !== 'by' && { when }),
      ...(signature !== 'when' && { by }),
    };
  }

  #keep(at: number, item: Item<string>): void {
    const collection = this.#collections[at];
    collection?.set(item.sync.id, [...(collection.get(item.sync.id) ?? []), item]);
  }
}

const at = fc.nat(4);
const item = fc.nat(3);
const clock = fc.nat(3);
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('create' as const), at, clock }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('update' as const, 'update' as const, 'delete' as const),
      at,
      item,
      clock,
      updatesKept: fc.constantFrom(undefined, undefined, 0, 1, 3),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('resolve' as const),
      at,
      item,
      clock,
      keep: fc.nat(5),
      fresh: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('truncate' as const), at, item, updatesKept: fc.nat(2) }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constant('deliver' as const),
      from: at,
      at,
      item: fc.option(item, { nil: undefined }),
      age: fc.constantFrom(0, 0, 0, 1, 2, 5),
    }),
  },
);

export const anyStory: fc.Arbitrary<Story> = fc.record({
  signatures: fc.array(fc.constantFrom<Signature>('both', 'both', 'both', 'by', 'when'), {
    minLength: 2,
    maxLength: 5,
  }),
  happenings: fc.array(happening, { minLength: 10, maxLength: 60, size: 'max' }),
});

export function meshOf({ signatures, happenings }: Story): UnorderedMesh {
  const mesh = new UnorderedMesh(signatures);
  for (const event of happenings) mesh.happen(event);
  return mesh;
}
