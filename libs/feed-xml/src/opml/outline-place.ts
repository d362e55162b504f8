import type { Fragment } from '../fragment.ts';

/**
 * What outlines stand in: another outline, or the root. Whether an outline takes part in the synchronisation is not known before its
 * `sx:sync` is read, and the ones in it have to wait for that: those in an outline without one count as standing where it does.
 */
export class OutlinePlace {
  readonly #outer: OutlinePlace | undefined;
  readonly #emit: (fragment: Fragment) => void;
  #id: string | undefined;
  #after = '';
  #waiting: Fragment[] = [];
  #waitingLength = 0;

  /** @param outer the place of the outline itself; absent for the root. */
  constructor(emit: (fragment: Fragment) => void, outer?: OutlinePlace) {
    this.#emit = emit;
    this.#outer = outer;
  }

  get id(): string | undefined {
    return this.#id;
  }

  /** How long the outlines that wait here are together, in UTF-16 code units. */
  get waitingLength(): number {
    return this.#waitingLength;
  }

  /** That this is the outline of this id; the first one counts. */
  identify(id: string | undefined): void {
    if (id === undefined || id === '' || this.#id !== undefined) return;
    this.#id = id;
    this.#release(this);
  }

  /** That this outline has ended. */
  end(): void {
    if (this.#id === undefined && this.#outer !== undefined) this.#release(this.#outer);
  }

  /** Puts the next outline here, in document order. One without synchronisation data has no place. */
  put(fragment: Fragment): void {
    if (fragment.id === undefined) {
      this.#emit(fragment);
    } else if (this.#id === undefined && this.#outer !== undefined) {
      this.#waiting.push(fragment);
      this.#waitingLength += fragment.xml.length;
    } else {
      this.#emit({ ...fragment, place: { ...(this.#id !== undefined && { parent: this.#id }), after: this.#after } });
      this.#after = fragment.id;
    }
  }

  #release(place: OutlinePlace): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingLength = 0;
    for (const fragment of waiting) place.put(fragment);
  }
}
