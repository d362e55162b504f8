import type { Breach } from '#feed-xml';
import type { Failure } from './failure.ts';

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
 * Gathers the breaches of one feed by rule, so that a mistake in every item of a long feed makes one line.
 */
export class FeedBreaches {
  readonly #url: string;
  readonly #first = new Map<string, { readonly breach: Breach; count: number }>();

  /** @param url that the feed is known by */
  constructor(url: string) {
    this.#url = url;
  }

  add(breaches: readonly Breach[]): void {
    for (const breach of breaches) {
      const known = this.#first.get(breach.rule);
      if (known === undefined) this.#first.set(breach.rule, { breach, count: 1 });
      else known.count += 1;
    }
  }

  get warnings(): readonly FeedWarning[] {
    return this.#of('warning').map(({ breach: { rule, line, column, message }, count }) => ({
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
    return this.#of('error').map(({ breach: { rule, line, column, message }, count }) => {
      const others = count === 1 ? '' : ` (the first of ${count})`;
      return { url: this.#url, rule, reason: `line ${line}, column ${column}: ${message}${others}` };
    });
  }

  #of(severity: Breach['severity']): readonly { readonly breach: Breach; readonly count: number }[] {
    return [...this.#first.values()].filter(({ breach }) => breach.severity === severity);
  }
}
