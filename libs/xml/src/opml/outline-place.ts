import type { Fragment } from '../fragment.ts';
import { SiblingRow } from '../sibling-row.ts';

/**
 * What outlines stand in: another outline, or the root. Whether an outline takes part in the synchronisation
 * is not known before its `sx:sync` is read, and the ones in it have to wait for that: those in an outline
 * without one count as standing where it does.
 */
export class OutlinePlace {
  readonly #outer: OutlinePlace | undefined;
  readonly #emit: (fragment: Fragment) => void;
  /** The outlines in it; absent as long as they wait. */
  #row: SiblingRow | undefined;
  #id: string | undefined;
  #waiting: Fragment[] = [];

  /** @param outer the place of the outline itself; absent for the root. */
  constructor(emit: (fragment: Fragment) => void, outer?: OutlinePlace) {
    this.#emit = emit;
    this.#outer = outer;
    if (outer === undefined) this.#row = new SiblingRow(emit);
  }

  get id(): string | undefined {
    return this.#id;
  }

  /** That this is the outline of this id; the first one counts. */
  identify(id: string | undefined): void {
    if (id === undefined || id === '' || this.#id !== undefined) return;
    this.#id = id;
    this.#row = new SiblingRow(this.#emit, id);
    this.#outer?.announce(id);
    this.#release(this);
  }

  /** That this outline, or the body, has ended. */
  end(): void {
    this.#row?.end();
    if (this.#outer !== undefined) this.#release(this.#outer);
  }

  /** Puts the next outline here, in document order. One without synchronisation data has no place. */
  put(fragment: Fragment): void {
    if (this.#row !== undefined) this.#row.put(fragment);
    else if (fragment.id === undefined) this.#emit(fragment);
    else this.#waiting.push(fragment);
  }

  /**
   * That an outline of this id stands here and may not have ended; nothing comes between it and those that
   * were put.
   */
  announce(id: string): void {
    this.#row?.announce(id);
  }

  #release(place: OutlinePlace): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const fragment of waiting) place.put(fragment);
  }
}
