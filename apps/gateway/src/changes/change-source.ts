import type { ChangesView } from '#contracts';
import type { Response } from 'express';
import type { ChangesPage } from './read-changes.ts';

/** The changes that one client reads: those of a collection, or of all that it may read. */
export interface ChangeSource {
  /** For the log. */
  readonly name: string;
  /**
   * Reads what follows a cursor, or begins with the oldest that is kept.
   * @param limit how many at most
   * @param bytes how many of JSON; one change may have more
   * @throws ProblemError 400 for a malformed cursor, 410 for one that is no longer kept
   */
  read(cursor: string | undefined, limit: number, bytes: number): Promise<ChangesPage>;
  /** Returns true once something after a cursor is published, false after so many milliseconds. */
  newer(cursor: string, milliseconds: number, signal: AbortSignal): Promise<boolean>;
  /** Sends what follows a cursor, or waits for it, as far as it likes. Returns the cursor to go on from. */
  follow(cursor: string, response: Response, signal: AbortSignal): Promise<string>;
  /** The changes as server-sent events. */
  text(changes: ChangesView): Uint8Array;
}
