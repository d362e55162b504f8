import { itemId } from '#contracts';
import type { ItemId } from '#contracts';

/**
 * How many bytes a value takes as a BSON document, in which MongoDB keeps it: what the store writes is
 * measured before it is sent.
 * @param value of plain objects, arrays, texts, numbers, booleans, dates and null; what is undefined is not
 *   stored
 */
export function storedSize(value: object): number {
  let size = 5;
  for (const [name, member] of Object.entries(value))
    if (member !== undefined) size += 2 + Buffer.byteLength(name) + memberSize(member);
  return size;
}

function memberSize(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return 5 + Buffer.byteLength(value);
    case 'number':
      return Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? 4 : 8;
    case 'boolean':
      return 1;
    default:
      return value === null ? 0 : value instanceof Date ? 8 : storedSize(value as object);
  }
}

/**
 * How large an item may be in the store if nothing else is said, in bytes: a mebibyte below what MongoDB
 * takes as one document.
 */
export const defaultItemBytes = 15_728_640;

/** Items are too large to be kept; nothing was written. */
export class ItemSizeError extends Error {
  override readonly name = 'ItemSizeError';
  /** By id: how many bytes each would take. Never empty. */
  readonly sizes: ReadonlyMap<ItemId, number>;
  readonly #limit: number;

  constructor(sizes: ReadonlyMap<ItemId, number>, limit: number) {
    super(sizeMessage([...sizes][0] ?? [itemId(''), 0], limit));
    this.sizes = sizes;
    this.#limit = limit;
  }

  /** The same error about one of them. */
  ofItem(id: ItemId): ItemSizeError {
    return new ItemSizeError(new Map([[id, this.sizes.get(id) ?? 0]]), this.#limit);
  }
}

function sizeMessage([id, size]: readonly [id: ItemId, size: number], limit: number): string {
  const name = JSON.stringify(id.length > 100 ? `${id.slice(0, 100)}…` : id);
  return (
    `The item ${name} would take ${size} bytes in the store with its conflicts; ${limit} are allowed ` +
    '(setting ITEM_STORED_BYTES).'
  );
}

/**
 * Throws `ItemSizeError` if any of these is larger than the limit. Takes each item's id and its size in
 * bytes.
 */
export function checkSizes(sizes: Iterable<readonly [id: ItemId, size: number]>, limit: number): void {
  const tooLarge = new Map([...sizes].filter(([, size]) => size > limit));
  if (tooLarge.size > 0) throw new ItemSizeError(tooLarge, limit);
}
