import type { Fragment } from './fragment.ts';

/**
 * The items below one parent in document order. Each is given its place (SSE 3.2) and passed on once it is
 * known which one comes after it, and is held until then. An item without synchronisation data has no place
 * and is passed on at once.
 */
export class SiblingRow {
  readonly #emit: (fragment: Fragment) => void;
  readonly #parent: string | undefined;
  #after = '';
  #held: Fragment | undefined;

  /** @param parent the id of the item that they stand in; absent below the root. */
  constructor(emit: (fragment: Fragment) => void, parent?: string) {
    this.#emit = emit;
    this.#parent = parent;
  }

  /** That the item of this id comes next; it may be put later. */
  announce(id: string): void {
    this.#release(id);
  }

  put(fragment: Fragment): void {
    if (fragment.id === undefined) {
      this.#emit(fragment);
    } else {
      this.#release(fragment.id);
      this.#held = fragment;
    }
  }

  /** That no item comes any more. */
  end(): void {
    this.#release();
  }

  #release(before?: string): void {
    const held = this.#held;
    if (held === undefined) return;
    this.#held = undefined;
    this.#emit({
      ...held,
      place: {
        ...(this.#parent !== undefined && { parent: this.#parent }),
        after: this.#after,
        ...(before !== undefined && { before }),
      },
    });
    this.#after = held.id ?? '';
  }
}
