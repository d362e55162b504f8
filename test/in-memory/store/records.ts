import type { CollectionKey } from '#core';
import { byCodePoint } from './code-point-order.ts';

/**
 * Values by collection and id. What goes in is copied, and what comes out is frozen, so that nobody changes
 * what is stored.
 */
export class Records<Value extends { readonly collection: CollectionKey; readonly id: string }> {
  readonly #values = new Map<string, Value>();

  get(collection: CollectionKey, id: string): Value | undefined {
    return this.#values.get(keyOf(collection, id));
  }

  set(value: Value): void {
    this.#values.set(keyOf(value.collection, value.id), frozen(structuredClone(value)));
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
    return found.slice(0, limit);
  }

  /** The collections of the values that pass, each once. */
  collections(where: (value: Value) => boolean = () => true): CollectionKey[] {
    return [...new Set([...this.#values.values()].filter(where).map(({ collection }) => collection))];
  }

  removeCollection(name: string): void {
    for (const [key, { collection }] of this.#values) if (collection === name) this.#values.delete(key);
  }
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}

/** A collection's name holds no `/`. */
function keyOf(collection: CollectionKey, id: string): string {
  return `${collection}/${id}`;
}

/** Whether an id belongs on the page after `after`. */
export function follows(id: string, after: string | undefined): boolean {
  return after === undefined || byCodePoint(id, after) > 0;
}
