import { boundedMessage } from './breach.ts';
import type { Breach } from './breach.ts';

/** A document that can't be taken in at all; `breach` says which rule it broke, and where. */
export class FeedError extends Error {
  override readonly name = 'FeedError';
  readonly breach: Breach;

  constructor(breach: Omit<Breach, 'severity'>, options?: ErrorOptions) {
    const message = boundedMessage(breach.message);
    super(
      `${message} (${breach.section}, rule ${breach.rule}, line ${breach.line}, column ${breach.column})`,
      options,
    );
    this.breach = { ...breach, message, severity: 'error' };
  }
}
