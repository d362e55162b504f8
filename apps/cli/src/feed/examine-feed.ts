import { isItemSubsumedBy } from '#feedsync';
import type { Item } from '#feedsync';
import { FeedError, readItem, rules } from '#feed-xml';
import type { Breach, FeedHead, Fragment, RuleName } from '#feed-xml';
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
  const earlier = new Map<string, EarlierItem>();
  let items = 0;
  let syncedItems = 0;
  const take = (fragment: Fragment): void => {
    progress((items += 1));
    const reading = readItem(fragment);
    breaches.push(...reading.breaches);
    if (reading.kind === 'plain') return;
    syncedItems += 1;
    if (reading.kind !== 'item') return;
    const { sync } = reading.item;
    const version = { sync, data: undefined, conflicts: [] };
    const known = earlier.get(sync.id);
    if (known === undefined) earlier.set(sync.id, { line: fragment.line, versions: [version] });
    else {
      breaches.push(...repeatedItem(version, known, fragment));
      known.versions.push(version);
    }
  };
  try {
    const head = await scanFeed(bytes, take);
    return { format: head.format, items, syncedItems, breaches: [...breaches, ...head.breaches].sort(byPlace) };
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    return { items, syncedItems, breaches: [...breaches, error.breach].sort(byPlace) };
  }
}

/** What stood in the feed before under one id, without its data. */
interface EarlierItem {
  /** Of the first. */
  readonly line: number;
  readonly versions: Item[];
}

function repeatedItem(version: Item, { line, versions }: EarlierItem, fragment: Fragment): Breach[] {
  const name = `the id "${version.sync.id}"`;
  const found = [breach('sync-id-unique', `${name} is also that of the item in line ${line}; an id is unique within its feed`, fragment)];
  const conflicts = versions.some((other) => !isItemSubsumedBy(version, other) && !isItemSubsumedBy(other, version));
  if (conflicts) found.push(breach('repeated-item-conflict', `the versions of ${name} in this feed conflict with each other; one subsumes the other where the publisher makes no mistake`, fragment));
  return found;
}

function breach(rule: RuleName, message: string, { line, column }: Fragment): Breach {
  return { rule, ...rules[rule], message, line, column };
}

function byPlace(a: Breach, b: Breach): number {
  return a.line - b.line || a.column - b.column;
}
