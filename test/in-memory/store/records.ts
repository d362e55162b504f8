import type { CollectionKey } from '#core';
import { byCodePoint } from './code-point-order.ts';

/**
 * Values by collection and id. What goes in and what comes out are copies, so that nobody shares state with
 * the store.
 */
export class Records<Value extends { readonly collection: CollectionKey; readonly id: string }> {
  readonly #values = new Map<string, Value>();

  get(collection: CollectionKey, id: string): Value | undefined {
    return structuredClone(this.#values.get(keyOf(collection, id)));
  }

  set(value: Value): void {
    this.#values.set(keyOf(value.collection, value.id), structuredClone(value));
  }

  delete(collection: CollectionKey, id: string): boolean {
    return this.#values.delete(keyOf(collection, id));
  }

  /** The values that pass, in ascending order of `order`, else of id; at most `limit`. */
  select({
    where,
    order,
    limit,
  }: {
    where: (value: Value) => boolean;
    order?: (value: Value) => number;
    limit?: number;
  }): Value[] {
    const found = [...this.#values.values()]
      .filter(where)
      .sort((one, other) => byCodePoint(one.id, other.id));
    if (order) found.sort((one, other) => order(one) - order(other));
    return structuredClone(found.slice(0, limit));
  }

  /** The collections of the values that pass, each once. */
  collections(where: (value: Value) => boolean = () => true): CollectionKey[] {
    return [...new Set([...this.#values.values()].filter(where).map(({ collection }) => collection))];
  }

  removeCollection(name: string): void {
    for (const [key, { collection }] of this.#values) if (collection === name) this.#values.delete(key);
  }
}

/** A collection's name holds no `/`. */
function keyOf(collection: CollectionKey, id: string): string {
  return `${collection}/${id}`;
}

/** Whether an id belongs on the page after `after`. */
export function follows(id: string, after: string | undefined): boolean {
  return after === undefined || byCodePoint(id, after) > 0;
}
