import { boundedMessage } from './violation.ts';
import type { Violation } from './violation.ts';

/** A document that can't be taken in at all; `violation` says which rule it broke, and where. */
export class FeedError extends Error {
  override readonly name = 'FeedError';
  readonly violation: Violation;

  constructor(violation: Omit<Violation, 'severity'>, options?: ErrorOptions) {
    const message = boundedMessage(violation.message);
    super(
      `${message} (${violation.section}, rule ${violation.rule}, line ${violation.line}, column ` +
        `${violation.column})`,
      options,
    );
    this.violation = { ...violation, message, severity: 'error' };
  }
}
