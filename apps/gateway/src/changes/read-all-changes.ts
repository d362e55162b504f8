import { formatCursor } from '#contracts';
import type { ChangeEvent } from '#contracts';
import { eventText, nameOf } from '#core';
import type { Collection } from '#core';
import { ProblemError } from '../problems/problem-error.ts';
import { formatPlaces, parsePlaces } from './all-cursor.ts';
import type { Places } from './all-cursor.ts';
import type { ChangesReader } from './changes-reader.ts';
import type { ChangesPage } from './read-changes.ts';

/** How much is read at most. */
interface PageLimits {
  readonly limit: number;
  readonly bytes: number;
}

/**
 * Reads the changes of several collections after a cursor: of each in order, and of each its share of the
 * page, so that the cursor passes no change that was not read. Those that published last come last, so that
 * none waits behind collections that publish without end. Throws `ProblemError` 400 for a malformed cursor,
 * 410 for one that is no longer kept.
 */
export async function readAllChanges(
  reader: Pick<ChangesReader, 'read'>,
  collections: readonly Collection[],
  cursor: string | undefined,
  { limit, bytes }: PageLimits,
): Promise<ChangesPage> {
  if (cursor === 'now') return pageOf([], placesNow(collections), true);
  const { of, isStart } = parsePlaces(cursor);
  const known = collections.filter(({ key }) => of.has(key));
  const places = new Map(known.map(({ key }) => [key, of.get(key) ?? 0]));
  const behind = collections
    .filter(({ key, publication }) => places.get(key) !== publication.sequence)
    .toSorted((one, other) => publishedAt(one) - publishedAt(other));
  const changes: ChangeEvent[] = [];
  let [left, isLast] = [bytes, true];
  for (const [index, collection] of behind.entries()) {
    if (changes.length >= limit || left <= 0) {
      isLast = false;
      break;
    }
    const share = Math.ceil((limit - changes.length) / (behind.length - index));
    const page = await readOne(reader, collection, { of: places, isStart }, { limit: share, bytes: left });
    if (page === undefined) continue;
    changes.push(...page.view.changes);
    for (const change of page.view.changes) left -= eventText(change).length;
    places.set(collection.key, Number(page.view.next));
    isLast &&= page.isLast;
  }
  const hasAll = collections.every(({ key }) => places.has(key));
  return pageOf(changes, { of: places, isStart: isStart && !hasAll }, isLast);
}

/** Undefined if the collection has been removed meanwhile. */
async function readOne(
  reader: Pick<ChangesReader, 'read'>,
  collection: Collection,
  places: Places,
  { limit, bytes }: PageLimits,
): Promise<ChangesPage | undefined> {
  const { key } = collection;
  const place = places.of.get(key) ?? (places.isStart ? undefined : 0);
  try {
    return await reader.read(key, place === undefined ? undefined : formatCursor(place), limit, bytes);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    if (error.rule === 'collection-not-found') return undefined;
    throw error.rule === 'cursor-gone' ? goneOf(collection, places, error) : error;
  }
}

/** What a reader does if changes of one collection are gone: the others go on from where they are. */
function goneOf({ key, publication }: Collection, places: Places, error: ProblemError): ProblemError {
  const { oldestCursor, ...members } = error.members;
  const at = (sequence: number): string =>
    formatPlaces({ ...places, of: new Map([...places.of, [key, sequence]]) });
  return new ProblemError(410, error.rule, `The collection "${nameOf(key)}": ${error.message}`, {
    ...members,
    collection: nameOf(key),
    ...(oldestCursor !== undefined && { oldestCursor: at(Number(oldestCursor)) }),
    presentCursor: at(publication.sequence),
  });
}

function placesNow(collections: readonly Collection[]): Places {
  return {
    of: new Map(collections.map(({ key, publication }) => [key, publication.sequence])),
    isStart: false,
  };
}

function pageOf(changes: readonly ChangeEvent[], places: Places, isLast: boolean): ChangesPage {
  return { view: { changes, next: formatPlaces(places) }, isLast };
}

function publishedAt({ publication, createdAt }: Collection): number {
  return (publication.updatedAt ?? createdAt).getTime();
}
