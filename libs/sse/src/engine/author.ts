import {
  EditError,
  isDateTime,
  isNamespaceSpecificString,
  type Author as EndpointAuthor,
  type IssuedRecord,
} from '#feedsync';
import type { Modification } from './item.ts';

/** Who edits, and when. */
export interface Author extends Pick<EndpointAuthor, 'when' | 'by'> {
  /** What this endpoint has signed of the item before: a version of the same number gets a later `when`. */
  readonly issued?: Pick<IssuedRecord, 'versions'>;
}

/** The modification of an edit (2.4). Throws EditError where the author is missing or breaks the syntax. */
export function modificationBy({ when, by }: Author): Modification {
  if (when === undefined && by === undefined)
    throw new EditError('history-when-or-by', 'an edit needs "when" or "by", or both (SSE 2.4)');
  if (when !== undefined && !isDateTime(when)) {
    throw new EditError(
      'history-when-syntax',
      `"when" is ${JSON.stringify(when)}, not a date-time such as 2005-05-21T09:43:33Z (SSE 1.2)`,
    );
  }
  if (by !== undefined && !isNamespaceSpecificString(by)) {
    throw new EditError(
      'history-by-syntax',
      `"by" is ${JSON.stringify(by)}, not a Namespace Specific String (SSE 1.2, RFC 2141)`,
    );
  }
  return { ...(when !== undefined && { when }), ...(by !== undefined && { by }) };
}
