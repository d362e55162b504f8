import type { Breach } from './breach.ts';

/** A document that can't be taken in at all; `breach` says which rule it broke, and where. */
export class FeedError extends Error {
  override readonly name = 'FeedError';
  readonly breach: Breach;

  constructor(breach: Omit<Breach, 'severity'>, options?: ErrorOptions) {
    super(`${breach.message} (${breach.section}, rule ${breach.rule}, line ${breach.line}, column ${breach.column})`, options);
    this.breach = { ...breach, severity: 'error' };
  }
}
