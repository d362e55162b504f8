import type { Breach } from './breach.ts';
import { positionInFeed } from './fragment.ts';
import type { Fragment, Position } from './fragment.ts';
import { rules } from './rule.ts';
import type { RuleName } from './rule.ts';
import type { XmlElement } from './tree.ts';

/** The breaches found in one fragment, at their places in its feed. */
export class BreachList {
  readonly all: Breach[] = [];
  readonly #fragment: Fragment;
  /** How far lines have been counted: breaches are mostly found in the order of the text. */
  #counted = { offset: 0, line: 1, lineStart: 0 };

  constructor(fragment: Fragment) {
    this.#fragment = fragment;
  }

  get hasErrors(): boolean {
    return this.all.some(({ severity }) => severity === 'error');
  }

  /** Adds a breach at the place of an element. */
  add(element: XmlElement, rule: RuleName, message: string): void {
    this.all.push({ rule, ...rules[rule], message, ...this.positionOf(element) });
  }

  /** Where an element stands in the feed. */
  positionOf({ start }: XmlElement): Position {
    return positionInFeed(this.#fragment, this.#positionOf(start));
  }

  #positionOf(offset: number): Position {
    let { offset: index, line, lineStart } = offset < this.#counted.offset ? { offset: 0, line: 1, lineStart: 0 } : this.#counted;
    for (; index < offset; index += 1) {
      if (this.#fragment.xml.charCodeAt(index) !== 0x0a) continue;
      line += 1;
      lineStart = index + 1;
    }
    this.#counted = { offset, line, lineStart };
    return { line, column: offset - lineStart + 1 };
  }
}

/** A value as it stands in a message: quoted, and cut where it is long. */
export function quote(value: string | undefined): string {
  if (value === undefined) return 'none';
  return value.length > 100 ? `${JSON.stringify(value.slice(0, 100))}…` : JSON.stringify(value);
}
