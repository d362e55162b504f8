import type { Fragment, Position } from './fragment.ts';
import type { Child } from './payload.ts';
import type { StrictParser } from './strict-parser.ts';
import type { Violation } from './violation.ts';

/** How many children that are left out are named. */
const maximumNamed = 20;

const rule = 'limit-head-length';

/** Where the head of a document begins, and where each of its children stands, in their order. */
export interface HeadPlaces {
  readonly head: Position;
  readonly children: readonly Position[];
}

/** What a document holds beside its items, as it arrives. */
export class HeadParts {
  readonly #parser: StrictParser;
  readonly #maximumLength: number;
  #length = 0;
  readonly children: Child[] = [];
  /** Where they stand. */
  readonly places: Position[] = [];
  /** The children that are of the dialect. */
  readonly sync: Fragment[] = [];
  /** What is of the dialect and stands beside the head: `sx:sharing`, in a body all of it. */
  readonly misplaced: Fragment[] = [];
  /** Why children were left out: warnings, the first ones. */
  readonly leftOut: Violation[] = [];

  /**
   * @param limits `headLength` is for all together; children that do not fit are left out, and those of the
   *   dialect end the reading by a `FeedError` of rule `limit-head-length`
   */
  constructor(parser: StrictParser, limits: { readonly headLength: number }) {
    this.#parser = parser;
    this.#maximumLength = limits.headLength;
  }

  /**
   * @param whole the same child with what it inherits declared on it, which is its length: whoever writes
   *   it declares that again
   * @param isOfDialect whether it is of the dialect; `sx:sharing` is no other child
   */
  add(child: Child, whole: Fragment, isOfDialect: boolean): void {
    const { line, column } = whole;
    const { length } = whole.xml;
    if (!isOfDialect && this.#length + length > this.#maximumLength) {
      return this.leaveOut({ rule, section: 'limits', message: this.#sentence, line, column });
    }
    this.#count(length);
    if (!isOfDialect || child.name !== 'sharing') {
      this.children.push(child);
      this.places.push({ line, column });
    }
    if (isOfDialect) this.sync.push(whole);
  }

  misplace(element: Fragment): void {
    this.#count(element.xml.length);
    this.misplaced.push(element);
  }

  /** Says of a child that it passes a limit, and is not among `children`. */
  leaveOut(violation: Omit<Violation, 'severity'>): void {
    const message = `An element that is not an item is left out: ${violation.message}`;
    if (this.leftOut.length < maximumNamed) this.leftOut.push({ ...violation, message, severity: 'warning' });
  }

  #count(length: number): void {
    this.#length += length;
    if (this.#length > this.#maximumLength) this.#parser.fail(rule, 'limits', this.#sentence);
  }

  get #sentence(): string {
    return `What is not an item is longer than ${this.#maximumLength} (limit "headLength").`;
  }
}
