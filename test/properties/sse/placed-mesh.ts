import fc from 'fast-check';
import { arrange, compareSiblings, createItem, merge, placeAt, placeItems, updateItem } from '#sse';
import type { Branch, Item } from '#sse';
import { itemId } from '#core';
import type { Placed } from '#core';
import type { Position } from '#core';

/** What can happen to a collection that has an order; numbers are taken modulo what there is. */
type Happening =
  | {
      readonly kind: 'create' | 'update' | 'move' | 'delete' | 'undelete';
      readonly at: number;
      readonly item: number;
      readonly parent: number;
      readonly index: number;
      readonly clock: number;
    }
  /** `part` as bits: which items are in the feed; a feed of a plain endpoint is always complete. */
  | { readonly kind: 'deliver'; readonly from: number; readonly at: number; readonly part: number };

/** How a mesh comes about. */
export interface Story {
  /**
   * For each endpoint whether it knows nothing but the order of documents: it neither writes nor reads keys.
   */
  readonly plain: readonly boolean[];
  readonly isHierarchical: boolean;
  readonly happenings: readonly Happening[];
}

/** An item as an endpoint with an order keeps it. */
export type PlacedItem = Item<string> & { readonly position: Position };

/**
 * Endpoints that share an ordered or hierarchical collection (3.2) and place it after every delivery
 * (4.4.2).
 */
export class PlacedMesh {
  readonly #story: Story;
  readonly #collections: readonly Map<string, PlacedItem>[];
  #edits = 0;

  constructor(story: Story) {
    this.#story = story;
    this.#collections = story.plain.map(() => new Map());
    for (let item = 0; item < 4; item += 1)
      this.#happen({ kind: 'create', at: 0, item: 0, parent: item, index: item, clock: 0 });
    for (let at = 1; at < story.plain.length; at += 1) this.deliver(0, at);
    for (const happening of story.happenings) this.#happen(happening);
  }

  /** Each endpoint's items by id. */
  get collections(): readonly ReadonlyMap<string, PlacedItem>[] {
    return this.#collections;
  }

  /**
   * Everyone reads everyone's complete feed until nothing changes any more. Returns how often that took, at
   * most `rounds`.
   */
  meet(rounds = 20): number {
    const all = [...this.#collections.keys()];
    for (let round = 1; round <= rounds; round += 1) {
      const before = JSON.stringify(this.#collections.map((collection) => [...collection]));
      for (const at of all) for (const from of all) if (from !== at) this.deliver(from, at);
      if (JSON.stringify(this.#collections.map((collection) => [...collection])) === before) return round;
    }
    return rounds + 1;
  }

  /** One feed from one endpoint to another, placed when all its items are merged. */
  deliver(from: number, at: number, part = -1): void {
    const isPlain = this.#story.plain[from] === true || this.#story.plain[at] === true;
    const feed = isPlain
      ? asDocument(this.#collection(from))
      : this.#partialFeed(this.#collection(from), part);
    const local = this.#collection(at);
    for (const incoming of feed)
      local.set(incoming.sync.id, merge(local.get(incoming.sync.id), incoming).item as PlacedItem);
    for (const [id, { position, isReparented }] of placeItems(placed(local))) {
      const item = local.get(id);
      if (item !== undefined)
        local.set(id, {
          ...item,
          position,
          sync: { ...item.sync, conflict: item.sync.conflict || isReparented },
        });
    }
  }

  /**
   * Some items. What they stand in is in the feed, too, where anyone is plain, as it is in our own feeds: an
   * item whose parent is missing is shown below the root, and who knows documents only takes that for its
   * place.
   */
  #partialFeed(collection: ReadonlyMap<string, PlacedItem>, part: number): PlacedItem[] {
    const ids = new Set([...collection.keys()].filter((_, index) => (part >> (index % 16)) % 2 !== 0));
    if (this.#story.plain.includes(true))
      for (const id of ids) ids.add(collection.get(id)?.position.parent ?? id);
    return [...ids].flatMap((id) => collection.get(id) ?? []);
  }

  #happen(happening: Happening): void {
    const at = happening.at % this.#collections.length;
    if (happening.kind === 'deliver') {
      const from = happening.from % this.#collections.length;
      if (from !== at) this.deliver(from, at, happening.part);
      return;
    }
    this.#edits += 1;
    const collection = this.#collection(at);
    const items = [...collection.values()];
    const item = items[happening.item % items.length];
    const author = { by: `endpoint-${at}`, when: `2005-05-21T09:43:0${happening.clock}Z` };
    const data = `edit ${this.#edits}`;
    if (happening.kind === 'create') {
      const id = itemId(`${(this.#edits * 7) % 10}-${at}-${this.#edits}`);
      this.#keep(at, createItem({ id, data, ...author, position: this.#place(at, happening, id) }));
    } else if (item !== undefined) {
      const isMove = happening.kind === 'move' || happening.kind === 'undelete';
      const position = isMove ? this.#place(at, happening, item.sync.id) : item.position;
      const deleted = happening.kind === 'delete' || (happening.kind === 'move' && item.sync.deleted);
      this.#keep(
        at,
        updateItem(item, {
          data,
          ...author,
          position,
          deleted,
          updatesKept: this.#edits % 3 === 0 ? 1 : undefined,
        }),
      );
    }
  }

  /** Where an item goes below a parent that is not itself or in it. */
  #place(at: number, { parent, index }: Exclude<Happening, { kind: 'deliver' }>, id: string): Position {
    const collection = this.#collection(at);
    const parents = [undefined, ...(this.#story.isHierarchical ? collection.keys() : [])].filter(
      (other) => other === undefined || !this.#isIn(collection, other, id),
    );
    const below = parents[parent % parents.length];
    const siblings = placed(collection)
      .filter((other) => other.id !== id && other.position.parent === below)
      .sort(compareSiblings);
    return {
      ...(below !== undefined && { parent: below }),
      key: placeAt(siblings, index % (siblings.length + 1)),
    };
  }

  #isIn(collection: ReadonlyMap<string, PlacedItem>, item: string, above: string): boolean {
    const met = new Set<string>();
    for (
      let id: string | undefined = item;
      id !== undefined && !met.has(id);
      id = collection.get(id)?.position.parent
    ) {
      if (id === above) return true;
      met.add(id);
    }
    return false;
  }

  #keep(at: number, item: Item<string>): void {
    this.#collection(at).set(item.sync.id, item as PlacedItem);
  }

  #collection(at: number): Map<string, PlacedItem> {
    return this.#collections[at] ?? new Map<string, PlacedItem>();
  }
}

/** The items as far as their places are concerned. */
export function placed(collection: ReadonlyMap<string, PlacedItem>): Placed[] {
  return [...collection.values()].map(({ sync: { id }, position }) => ({ id, position }));
}

/** The items with the places that the order of a plain document shows. */
export function asDocument(collection: ReadonlyMap<string, PlacedItem>): PlacedItem[] {
  const shown: PlacedItem[] = [];
  const show = (branches: readonly Branch[], parent?: string): void => {
    for (const [
      at,
      {
        item: { id },
        children,
      },
    ] of branches.entries()) {
      const item = collection.get(id);
      const before = branches[at + 1]?.item.id;
      const position = {
        ...(parent !== undefined && { parent }),
        after: branches[at - 1]?.item.id ?? '',
        ...(before !== undefined && { before }),
      };
      if (item !== undefined) shown.push({ ...item, position });
      show(children, id);
    }
  };
  show(arrange(placed(collection)));
  return shown;
}

const at = fc.nat(4);
const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'create' as const,
        'update' as const,
        'move' as const,
        'move' as const,
        'move' as const,
        'delete' as const,
        'undelete' as const,
      ),
      at,
      item: fc.nat(20),
      parent: fc.nat(20),
      index: fc.nat(6),
      clock: fc.nat(3),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('deliver' as const),
      from: at,
      at,
      part: fc.oneof(fc.constant(-1), fc.nat(65_535)),
    }),
  },
);

/** Meshes of 2 to 5 endpoints, so many of them plain. */
export function anyStory(isHierarchical: boolean, plainEndpoints: 0 | 1): fc.Arbitrary<Story> {
  return fc.record({
    plain: fc
      .integer({ min: 2, max: 5 })
      .map((count) => Array.from({ length: count }, (_, index) => index >= count - plainEndpoints)),
    isHierarchical: fc.constant(isHierarchical),
    happenings: fc.array(happening, { minLength: 5, maxLength: 60, size: 'max' }),
  });
}
