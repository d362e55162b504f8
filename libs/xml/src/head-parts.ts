import type { Fragment } from './fragment.ts';
import type { Child } from './payload.ts';
import type { StrictParser } from './strict-parser.ts';

/** What a document holds beside its items, as it arrives. */
export class HeadParts {
  readonly #parser: StrictParser;
  readonly #maximumLength: number;
  #length = 0;
  readonly children: Child[] = [];
  /** The children that are of the dialect. */
  readonly sync: Fragment[] = [];
  /** What is of the dialect and stands beside the head: `sx:sharing`, in a body all of it. */
  readonly misplaced: Fragment[] = [];

  /**
   * @param limits `headLength` is for all together; a `FeedError` of rule `limit-head-length` says that it is
   * passed.
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
    this.#count(whole.xml);
    if (!isOfDialect || child.name !== 'sharing') this.children.push(child);
    if (isOfDialect) this.sync.push(whole);
  }

  misplace(element: Fragment): void {
    this.#count(element.xml);
    this.misplaced.push(element);
  }

  #count({ length }: string): void {
    this.#length += length;
    if (this.#length > this.#maximumLength)
      this.#parser.fail(
        'limit-head-length',
        'limits',
        `What is not an item is longer than ${this.#maximumLength} (limit "headLength").`,
      );
  }
}
