import { FeedError, readItem } from '#feed-xml';
import type { Breach, FeedHead, Fragment } from '#feed-xml';
import type { SourceBytes } from './source.ts';
import { scanFeed } from './scan-feed.ts';

/** What a feed holds and where it departs from the rules. */
export interface Examination {
  /** Absent where the document could not be read to its end. */
  readonly format?: FeedHead['format'];
  readonly items: number;
  /** How many of the items have sync data. */
  readonly syncedItems: number;
  /** In the order of their places. */
  readonly breaches: readonly Breach[];
}

/**
 * Reads a feed to its end, or to where it stops being one, and collects every breach.
 * @param progress called with the number of items read so far
 * @throws CommandError where the bytes can't be read
 */
export async function examineFeed(bytes: SourceBytes, progress: (items: number) => void): Promise<Examination> {
  const breaches: Breach[] = [];
  const lines = new Map<string, number>();
  let items = 0;
  let syncedItems = 0;
  const take = (fragment: Fragment): void => {
    progress((items += 1));
    const reading = readItem(fragment);
    if (reading.kind === 'plain') return;
    syncedItems += 1;
    breaches.push(...reading.breaches);
    if (reading.kind !== 'item') return;
    const { id } = reading.item.sync;
    const first = lines.get(id);
    if (first === undefined) lines.set(id, fragment.line);
    else breaches.push(repeatedId(id, first, fragment));
  };
  try {
    const head = await scanFeed(bytes, take);
    return { format: head.format, items, syncedItems, breaches: [...breaches, ...head.breaches].sort(byPlace) };
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    return { items, syncedItems, breaches: [...breaches, error.breach].sort(byPlace) };
  }
}

function repeatedId(id: string, first: number, { line, column }: Fragment): Breach {
  const message = `the id "${id}" is also that of the item in line ${first}; an id is unique within its feed`;
  return { rule: 'sync-id-unique', section: 'FeedSync 2.4', message, severity: 'warning', line, column };
}

function byPlace(a: Breach, b: Breach): number {
  return a.line - b.line || a.column - b.column;
}
