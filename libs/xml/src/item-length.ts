import { FeedError } from './feed-error.ts';
import { scopeLength } from './needed-scope.ts';
import type { Payload, Scope } from './payload.ts';

/**
 * How long the parts of one item may be together once each stands on its own, in UTF-16 code units: twice
 * what a feed may give to one by default.
 */
export const maximumItemLength = 8_388_608;

/**
 * Counts what the parts of one item come to: each is kept, or will be written, with what it inherits declared
 * on it, so that a short item in a long scope could become as long as the two multiplied.
 */
export class ItemLength {
  #left: number;

  constructor(limit = maximumItemLength) {
    this.#left = limit;
  }

  /** @throws FeedError of rule `limit-item-length` */
  add(length: number): void {
    this.#left -= length;
    if (this.#left >= 0) return;
    const message =
      `The parts of an item are together longer than ${maximumItemLength}, ` +
      'each with the namespaces, xml:base and xml:lang that it inherits (limit "itemLength").';
    throw new FeedError({ rule: 'limit-item-length', section: 'limits', message, line: 1, column: 1 });
  }

  /**
   * Counts a payload as if each of its children were to declare the scope, as it may have to. Throws as `add`
   * does.
   */
  addPayload({ children, scope, attributes = [] }: Pick<Payload, 'children' | 'scope' | 'attributes'>): void {
    this.add(scopeLength(scope) * (children.length + 1));
    for (const { namespace, name, xml } of children) this.add(namespace.length + name.length + xml.length);
    for (const { namespace, value } of attributes) this.add(namespace.length + value.length);
  }

  /** Counts a slice of foreign markup with what it is to declare. Throws as `add` does. */
  addSlice({ length }: string, scope: Scope): void {
    this.add(length + scopeLength(scope));
  }
}
