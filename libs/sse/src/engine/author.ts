import { checkedAuthor } from '#feedsync';
import type { Author as EndpointAuthor } from '#feedsync';
import type { IssuedRecord } from '#core';
import type { Modification } from './item.ts';

/** Who edits, and when. */
export interface Author extends Pick<EndpointAuthor, 'when' | 'by'> {
  /** What this endpoint has signed of the item before: a version of the same number gets a later `when`. */
  readonly issued?: Pick<IssuedRecord, 'versions'>;
}

/** The modification of an edit (2.4). Throws EditError if the author is missing or breaks the syntax. */
export function modificationBy(author: Author): Modification {
  return checkedAuthor(author, { author: 'SSE 2.4', when: 'SSE 1.2', by: 'SSE 1.2' });
}
