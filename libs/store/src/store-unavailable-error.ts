/** MongoDB could not be reached, or refused what the store needs; `cause` says what went wrong. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
  constructor(selectionTimeout: number, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`MongoDB could not be opened: ${reason} (selectionTimeout is ${selectionTimeout} ms)`, { cause });
  }
}
