import { feedUrl } from '#protocol';
import { isFeedTree } from '#protocols';
import { formatCursor, parseCursor } from '#contracts';
import { nameOf } from '#core';
import type { Collection } from '#core';
import { invalidInput, ProblemError } from '../problems/problem-error.ts';

/** Values that a client may send instead of a cursor to start from the beginning. */
const beginnings: ReadonlySet<string | undefined> = new Set(['0', 'start', '']);

/** The cursor to read changes after; undefined for the oldest that is kept. */
export function changesAfter(cursor: string | undefined): string | undefined {
  return beginnings.has(cursor) ? undefined : cursor;
}

/**
 * The sequence of a cursor; 0 for the values that start from the beginning. Throws `ProblemError` 400 for
 * what is no cursor, 410 for one that the collection has not come to: it is from before the collection was
 * removed or restored.
 */
export function readCursor(
  collection: Collection,
  cursor: string | undefined,
  publicUrl: string,
): number | undefined {
  if (cursor === undefined) return undefined;
  if (beginnings.has(cursor)) return 0;
  const sequence = parseCursor(cursor);
  if (sequence === undefined)
    throw invalidInput([
      { path: 'query.since', message: `a cursor is 16 digits, 0 or start, not "${cursor}"` },
    ]);
  if (sequence > collection.publication.sequence)
    throw cursorGone(
      collection,
      publicUrl,
      `The collection "${nameOf(collection.key)}" has not come to the cursor ${cursor}; it is at ` +
        `${formatCursor(collection.publication.sequence)}.`,
    );
  return sequence;
}

/** Changes that can't be given from where the reader wants them, and where to restart. */
export function cursorGone(
  collection: Collection,
  publicUrl: string,
  reason: string,
  oldestSince?: number,
): ProblemError {
  const oldest = oldestSince === undefined ? {} : { oldestCursor: formatCursor(oldestSince) };
  if (isFeedTree(collection)) {
    const feed = feedUrl(publicUrl, collection, 'partial');
    return new ProblemError(
      410,
      'cursor-gone',
      `${reason} Go on from the cursor that the collection has now, and then read the tree from its ` +
        `root, ${feed}.`,
      { feed, ...oldest },
    );
  }
  const completeFeed = feedUrl(publicUrl, collection, 'complete');
  return new ProblemError(
    410,
    'cursor-gone',
    `${reason} Read the complete feed, ${completeFeed}, and go on from its "until".`,
    { completeFeed, ...oldest },
  );
}
