import type { Position } from '../fragment.ts';
import { boundedMessage } from '../violation.ts';
import type { Violation } from '../violation.ts';
import { childrenCalled } from './located.ts';
import type { LocatedElement } from './located.ts';
import { formatRules } from './rules.ts';
import type { FormatRule } from './rules.ts';

/** How many violations are listed of one item, or of one head. */
const maximumListed = 1000;

/** What breaks the rules of a format in one item, or in a head: the first ones. */
export class FormatViolations {
  readonly all: Violation[] = [];

  add({ line, column }: Position, rule: FormatRule, message: string): void {
    if (this.all.length < maximumListed)
      this.all.push({ rule, ...formatRules[rule], message: boundedMessage(message), line, column });
  }

  /** Reports each element but the first of those that stand once at most. */
  addRepeated(element: LocatedElement, names: readonly string[], rule: FormatRule): void {
    for (const name of names)
      for (const again of childrenCalled(element, name).slice(1))
        this.add(again, rule, `${title(name)} stands here once more; there is at most one.`);
  }
}

function title(name: string): string {
  return `The element "${name}"`;
}
