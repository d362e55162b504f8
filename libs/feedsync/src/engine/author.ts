import { isDateTime } from './date-time.ts';
import { EditError } from '#core';
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
   * The highest sequence that this endpoint has given to the item, also if the item's histories no longer
   * say so; the edit gets a higher one. Default 0.
   */
  readonly issued?: number;
}

/** Where a specification says that an edit has an author, and what `when` and `by` look like. */
interface AuthorSections {
  readonly author: string;
  readonly when: string;
  readonly by: string;
}

/** The history entry of an edit (2.5). Throws EditError if the author is missing or breaks the syntax. */
export function historyEntry(sequence: number, author: Author): HistoryEntry {
  const sections = { author: 'FeedSync 2.5', when: 'FeedSync 2.1.5', by: 'FeedSync 2.1.1' };
  return { sequence, ...checkedAuthor(author, sections) };
}

/** `when` and `by` of an author. Throws EditError if both are missing, or one breaks its syntax. */
export function checkedAuthor(
  { when, by }: Pick<Author, 'when' | 'by'>,
  sections: AuthorSections,
): Pick<Author, 'when' | 'by'> {
  if (when === undefined && by === undefined)
    throw new EditError('history-when-or-by', `an edit needs "when" or "by", or both (${sections.author})`);
  if (when !== undefined && !isDateTime(when)) {
    throw new EditError(
      'history-when-syntax',
      `"when" is ${JSON.stringify(when)}, not a date-time such as 2005-05-21T09:43:33Z (${sections.when})`,
    );
  }
  if (by !== undefined && !isNamespaceSpecificString(by)) {
    throw new EditError(
      'history-by-syntax',
      `"by" is ${JSON.stringify(by)}, not a Namespace Specific String (${sections.by}, RFC 2141)`,
    );
  }
  return { ...(when !== undefined && { when }), ...(by !== undefined && { by }) };
}
