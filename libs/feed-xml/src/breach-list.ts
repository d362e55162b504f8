import type { Breach } from './breach.ts';
import { positionAt, positionInFeed } from './fragment.ts';
import type { Fragment } from './fragment.ts';
import { rules } from './rule.ts';
import type { RuleName } from './rule.ts';
import type { XmlElement } from './tree.ts';

/** The breaches found in one fragment, at their places in its feed. */
export class BreachList {
  readonly all: Breach[] = [];
  readonly #fragment: Fragment;

  constructor(fragment: Fragment) {
    this.#fragment = fragment;
  }

  get hasErrors(): boolean {
    return this.all.some(({ severity }) => severity === 'error');
  }

  /** Adds a breach at the place of an element. */
  add(element: XmlElement, rule: RuleName, message: string): void {
    const position = positionInFeed(this.#fragment, positionAt(this.#fragment.xml, element.start));
    this.all.push({ rule, ...rules[rule], message, ...position });
  }
}

/** A value as it stands in a message: quoted, and cut where it is long. */
export function quote(value: string | undefined): string {
  if (value === undefined) return 'none';
  return value.length > 100 ? `${JSON.stringify(value.slice(0, 100))}…` : JSON.stringify(value);
}
