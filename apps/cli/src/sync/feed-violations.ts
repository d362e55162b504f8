import type { Failure } from '#cse';
import type { Violation } from '#xml';

/** How often a feed departs from one rule without harm, and where first. */
export interface FeedWarning {
  readonly url: string;
  readonly rule: string;
  /** Of the first. */
  readonly line: number;
  readonly column: number;
  readonly reason: string;
  readonly count: number;
}

/**
 * Gathers the violations of one feed by rule, so that a mistake in every item of a long feed makes one line.
 */
export class FeedViolations {
  readonly #url: string;
  readonly #first = new Map<string, { readonly violation: Violation; count: number }>();

  /** @param url that the feed is known by */
  constructor(url: string) {
    this.#url = url;
  }

  add(violations: readonly Violation[]): void {
    for (const violation of violations) {
      const known = this.#first.get(violation.rule);
      if (known === undefined) this.#first.set(violation.rule, { violation, count: 1 });
      else known.count += 1;
    }
  }

  get warnings(): readonly FeedWarning[] {
    return this.#of('warning').map(({ violation: { rule, line, column, message }, count }) => ({
      url: this.#url,
      rule,
      line,
      column,
      reason: message,
      count,
    }));
  }

  /** Links that can't be followed. */
  get errors(): readonly Failure[] {
    return this.#of('error').map(({ violation: { rule, line, column, message }, count }) => {
      const others = count === 1 ? '' : ` (the first of ${count})`;
      return { url: this.#url, rule, reason: `line ${line}, column ${column}: ${message}${others}` };
    });
  }

  #of(severity: Violation['severity']): readonly { readonly violation: Violation; readonly count: number }[] {
    return [...this.#first.values()].filter(({ violation }) => violation.severity === severity);
  }
}
