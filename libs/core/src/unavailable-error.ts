/** A database can't be reached, or takes no writes, at the moment. The same call may succeed later. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
  readonly database: 'MongoDB' | 'Redis';
  /** What of the work is stored: `none`, or `unknown` if a write was sent and its answer is lost. */
  readonly stored: 'none' | 'unknown';

  constructor(database: 'MongoDB' | 'Redis', reason: string, stored: 'none' | 'unknown', cause?: unknown) {
    super(`${database} is not available: ${reason}`, { cause });
    this.database = database;
    this.stored = stored;
  }
}
