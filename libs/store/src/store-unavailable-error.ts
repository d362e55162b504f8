import { outageReason } from './outage-reason.ts';

/** MongoDB could not be reached, or refused what the store needs; `cause` says what went wrong. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
  constructor(selectionTimeout: number, cause: unknown) {
    super(
      `MongoDB could not be opened: ${outageReason(cause)} (selectionTimeout is ${selectionTimeout} ms)`,
      {
        cause,
      },
    );
  }
}
