import type { Breach } from './breach.ts';
import { positionAt, positionInFeed } from './fragment.ts';
import type { Fragment } from './fragment.ts';
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

  /** @param section the section of FeedSync 1.0.2, such as `2.4`. */
  add(element: XmlElement, rule: string, section: string, message: string, severity: Breach['severity'] = 'error'): void {
    const position = positionInFeed(this.#fragment, positionAt(this.#fragment.xml, element.start));
    this.all.push({ rule, section: `FeedSync ${section}`, message, severity, ...position });
  }
}

/** A value as it stands in a message: quoted, and cut where it is long. */
export function quote(value: string | undefined): string {
  if (value === undefined) return 'none';
  return value.length > 100 ? `${JSON.stringify(value.slice(0, 100))}…` : JSON.stringify(value);
}
