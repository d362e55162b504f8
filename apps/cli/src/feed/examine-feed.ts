import { FeedError } from '#feed-xml';
import type { Breach, FeedHead, Fragment } from '#feed-xml';
import { CseExamination } from './cse-examination.ts';
import { FeedSyncExamination } from './feedsync-examination.ts';
import type { ItemExamination } from './item-examination.ts';
import { scanFeed } from './scan-feed.ts';
import type { SourceBytes } from './source.ts';
import { SseExamination } from './sse-examination.ts';

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

const examinations = { feedsync: FeedSyncExamination, sse: SseExamination } as const;

/**
 * Reads a feed to its end, or to where it stops being one, and collects every breach: of the synchronisation data of its items by its
 * dialect, and of Content Sync Extensions where an item has any.
 * @param progress called with the number of items read so far
 * @throws CommandError where the bytes can't be read
 */
export async function examineFeed(bytes: SourceBytes, progress: (items: number) => void): Promise<Examination> {
  const breaches: Breach[] = [];
  let items = 0;
  let syncedItems = 0;
  const tree = new CseExamination();
  const takeWith = (examination: ItemExamination) => (fragment: Fragment): void => {
    progress((items += 1));
    const { isSynced, breaches: found } = examination.examine(fragment);
    if (isSynced) syncedItems += 1;
    breaches.push(...found);
    tree.examine(fragment);
  };
  try {
    const head = await scanFeed(bytes, (dialect) => takeWith(new examinations[dialect]()));
    return { format: head.format, items, syncedItems, breaches: [...breaches, ...tree.breaches(head), ...head.breaches].sort(byPlace) };
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    return { items, syncedItems, breaches: [...breaches, ...tree.breaches(), error.breach].sort(byPlace) };
  }
}

function byPlace(a: Breach, b: Breach): number {
  return a.line - b.line || a.column - b.column;
}
