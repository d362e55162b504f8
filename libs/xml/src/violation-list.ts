import { boundedMessage } from './violation.ts';
import type { Rule, Violation } from './violation.ts';
import { positionInFeed } from './fragment.ts';
import type { Fragment, Position } from './fragment.ts';
import type { XmlElement } from './tree.ts';

/**
 * How many errors, and how many warnings, of one fragment are listed; one violation more says that there are
 * others.
 */
const maximumListed = 1000;

/** How far a list had come. */
interface Mark {
  readonly listed: number;
  readonly errors: number;
  readonly warnings: number;
}

/**
 * The violations of a set of rules found in one fragment, at their places in its feed; the first ones, if
 * there are very many.
 */
export class ViolationList<Name extends string = string> {
  readonly #listed: Violation[] = [];
  readonly #found = { error: 0, warning: 0 };
  readonly #fragment: Fragment;
  readonly #rules: Readonly<Record<Name, Rule>>;
  /** Where each line of the fragment begins, once that was requested. */
  #lineStarts: readonly number[] | undefined;

  constructor(fragment: Fragment, rules: Readonly<Record<Name, Rule>>) {
    this.#fragment = fragment;
    this.#rules = rules;
  }

  get all(): readonly Violation[] {
    const unlisted = this.#found.error + this.#found.warning - this.#listed.length;
    if (unlisted === 0) return this.#listed;
    const severity = this.#found.error > maximumListed ? 'error' : 'warning';
    const { line, column } = this.#fragment;
    return [
      ...this.#listed,
      {
        rule: 'limit-violations',
        section: 'limits',
        message: `Rules are broken in ${unlisted} more places here, which are not listed.`,
        severity,
        line,
        column,
      },
    ];
  }

  get hasErrors(): boolean {
    return this.#found.error > 0;
  }

  /** Adds a violation at the place of an element. */
  add(element: XmlElement, rule: Name, message: string): void {
    this.#list(element, { rule, ...this.#rules[rule], message });
  }

  /** Adds a warning of something that is left out since it passes a limit of ours. */
  addLimit(element: XmlElement, rule: `limit-${string}`, message: string): void {
    this.#list(element, { rule, section: 'limits', severity: 'warning', message });
  }

  #list(element: XmlElement, violation: Omit<Violation, 'line' | 'column'>): void {
    const { severity, message } = violation;
    this.#found[severity] += 1;
    if (this.#found[severity] <= maximumListed)
      this.#listed.push({ ...violation, message: boundedMessage(message), ...this.positionOf(element) });
  }

  /** How far the list has come, for `hasErrorsSince` and `forgetSince`. */
  mark(): Mark {
    return { listed: this.#listed.length, errors: this.#found.error, warnings: this.#found.warning };
  }

  hasErrorsSince({ errors }: Mark): boolean {
    return this.#found.error > errors;
  }

  /** Takes back what was added since. */
  forgetSince({ listed, errors, warnings }: Mark): void {
    this.#listed.length = listed;
    Object.assign(this.#found, { error: errors, warning: warnings });
  }

  /** Where an element stands in the feed. */
  positionOf({ start }: XmlElement): Position {
    return positionInFeed(this.#fragment, this.#positionOf(start));
  }

  #positionOf(offset: number): Position {
    const starts = (this.#lineStarts ??= lineStartsOf(this.#fragment.xml));
    let [line, end] = [0, starts.length];
    while (end - line > 1) {
      const middle = (line + end) >> 1;
      if ((starts[middle] ?? 0) <= offset) line = middle;
      else end = middle;
    }
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  }
}

function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let next = text.indexOf('\n') + 1; next > 0; next = text.indexOf('\n', next) + 1) starts.push(next);
  return starts;
}

/** A value as it stands in a message: quoted, and cut if it is long. */
export function quote(value: string | undefined): string {
  if (value === undefined) return 'none';
  return value.length > 100 ? `${JSON.stringify(value.slice(0, 100))}…` : JSON.stringify(value);
}
