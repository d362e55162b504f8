import { isDateTime } from './date-time.ts';
import { EditError } from './edit-error.ts';
import { isNamespaceSpecificString } from './namespace-specific-string.ts';
import type { HistoryEntry } from './item.ts';

/**
 * Who edits, and when: what a new history entry records. At least one of the two (2.5); both are recommended.
 */
export interface Author {
  /** RFC 3339 in whole seconds and UTC (2.1.5). */
  readonly when?: string;
  /** The endpoint's identifier, a Namespace Specific String (2.1.1). */
  readonly by?: string;
  /**
   * The highest sequence that this endpoint has given to the item, also where the item's histories no longer
   * say so; the edit gets a higher one. Default 0.
   */
  readonly issued?: number;
}

/** The history entry of an edit (2.5). Throws EditError where the author is missing or breaks the syntax. */
export function historyEntry(sequence: number, { when, by }: Author): HistoryEntry {
  if (when === undefined && by === undefined)
    throw new EditError('history-when-or-by', 'an edit needs "when" or "by", or both (FeedSync 2.5)');
  if (when !== undefined && !isDateTime(when)) {
    throw new EditError(
      'history-when-syntax',
      `"when" is ${JSON.stringify(when)}, not a date-time such as 2005-05-21T09:43:33Z (FeedSync 2.1.5)`,
    );
  }
  if (by !== undefined && !isNamespaceSpecificString(by)) {
    throw new EditError(
      'history-by-syntax',
      `"by" is ${JSON.stringify(by)}, not a Namespace Specific String (FeedSync 2.1.1, RFC 2141)`,
    );
  }
  return { sequence, ...(when !== undefined && { when }), ...(by !== undefined && { by }) };
}
