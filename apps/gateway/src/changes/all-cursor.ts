import { collectionName } from '#contracts';
import { collectionKey, nameOf } from '#core';
import type { CollectionKey } from '#core';
import { invalidInput, ProblemError } from '../problems/problem-error.ts';
import { changesAfter } from './cursor.ts';

/** How many collections one cursor is for at most. */
export const mostCollections = 500;

/** How many characters a cursor has at most, so that it fits into a header and into an address. */
const longestCursor = 8_000;

/** How far a reader of several collections is. */
export interface Places {
  /** The sequence up to which it has the changes of a collection. */
  readonly of: ReadonlyMap<CollectionKey, number>;
  /** Whether a collection without a place begins with its oldest change that is kept, or with its first. */
  readonly isStart: boolean;
}

/**
 * Reads a cursor of several collections: `start` or `all`, and then `~name_sequence` for each. Throws
 * `ProblemError` 400 for a malformed one.
 */
export function parsePlaces(cursor: string | undefined): Places {
  const [kind, ...entries] = (changesAfter(cursor) ?? 'start').split('~');
  const places = entries.map(parsePlace).filter((place) => place !== undefined);
  if ((kind !== 'start' && kind !== 'all') || places.length < entries.length)
    throw invalidInput([
      { path: 'query.since', message: 'a cursor is `next` of a response, 0, start or now; this is none' },
    ]);
  return { of: new Map(places), isStart: kind === 'start' };
}

function parsePlace(text: string): readonly [CollectionKey, number] | undefined {
  const [name = '', digits = ''] = text.split('_', 2);
  const sequence = /^\d{1,16}$/.test(digits) ? Number(digits) : NaN;
  if (!Number.isSafeInteger(sequence) || !collectionName.safeParse(name).success) return undefined;
  return [collectionKey(name), sequence];
}

/** Writes a cursor. Throws `ProblemError` 400 if it were too long. */
export function formatPlaces({ of, isStart }: Places): string {
  const places = [...of].map(([key, sequence]) => `~${nameOf(key)}_${sequence}`);
  const cursor = [isStart ? 'start' : 'all', ...places].join('');
  if (cursor.length > longestCursor) throw tooManyCollections();
  return cursor;
}

/** Collections whose changes are too many for one cursor. */
export function tooManyCollections(): ProblemError {
  return new ProblemError(
    400,
    'too-many-collections',
    `One cursor is for at most ${mostCollections} collections, and ${longestCursor} characters long. Read ` +
      'the changes of fewer with `collections`, such as `collections=news-*`.',
  );
}
