import type { SaxesTagNS } from 'saxes';
import { scopeLength, usedScope } from './needed-scope.ts';
import type { Scope } from './payload.ts';
import type { ScanLimits } from './scan-limits.ts';
import { scopeInside } from './scope.ts';
import { declareOn } from './start-tag.ts';
import type { StrictParser } from './strict-parser.ts';

/** What the elements of a document inherit, and the limits of that. All methods throw `FeedError`. */
export class InheritedScope {
  readonly #parser: StrictParser;
  readonly #limits: ScanLimits;

  constructor(parser: StrictParser, limits: ScanLimits) {
    this.#parser = parser;
    this.#limits = limits;
  }

  /** The scope inside an element, of which each item is to carry on its root what it uses. */
  inside(outer: Scope, tag: SaxesTagNS): Scope {
    const scope = scopeInside(outer, tag);
    const { attributes } = this.#limits;
    if (scope.namespaces.length > attributes)
      this.#parser.fail(
        'limit-attributes',
        'limits',
        `More than ${attributes} namespace declarations are in force (limit "attributes").`,
      );
    this.#check({ ...scope, namespaces: [] });
    return scope;
  }

  /** A slice of one element with what it uses of the scope around it declared on it. */
  standAlone(xml: string, scope: Scope): string {
    const used = usedScope([xml], scope);
    this.#check(used);
    const declared = declareOn(xml, used, '\n');
    this.checkLength(declared.length, 'One item is, with what it inherits,');
    return declared;
  }

  /** @param what is that long, with its verb */
  checkLength(length: number, what: string): void {
    const { itemLength } = this.#limits;
    if (length > itemLength)
      this.#parser.fail(
        'limit-item-length',
        'limits',
        `${what} longer than ${itemLength} (limit "itemLength").`,
      );
  }

  #check(scope: Scope): void {
    const { inheritedLength } = this.#limits;
    if (scopeLength(scope) <= inheritedLength) return;
    const message =
      'The namespaces, xml:base and xml:lang that an item inherits are together longer than ' +
      `${inheritedLength} (limit "inheritedLength").`;
    this.#parser.fail('limit-inherited-length', 'limits', message);
  }
}
