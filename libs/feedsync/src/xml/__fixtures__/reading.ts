import { feedsyncDialect } from '../dialect.ts';
import type { Item } from '../../engine/item.ts';
import type { Violation, FeedHead, Fragment, Payload, ScanLimits } from '#xml';
import { FeedError, FeedScanner } from '#xml';
import { readItem } from '../item-reading.ts';

/** Scans a feed in one piece. */
export function scan(
  feed: string,
  limits: Partial<ScanLimits> = {},
): { fragments: Fragment[]; head: FeedHead } {
  const scanner = new FeedScanner(feedsyncDialect, { limits });
  const fragments = scanner.write(feed);
  return { fragments, head: scanner.end() };
}

/** The violation for which a feed is refused. */
export function refusal(act: () => unknown): Violation {
  try {
    act();
  } catch (error) {
    if (error instanceof FeedError) return error.violation;
    throw error;
  }
  throw new Error('Nothing was refused.');
}

/** An Atom feed of one entry, on line 2, with what is given inside it. */
export function feedOfEntry(inside: string): string {
  return (
    '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:sx="http://feedsync.org/2007/feedsync">\n<entry>' +
    `${inside}</entry></feed>`
  );
}

/** Reads the first item of a feed, which must be one that takes part in the synchronisation. */
export function itemOf(feed: string): Item<Payload> {
  const [fragment] = scan(feed).fragments;
  if (fragment === undefined) throw new Error('There is no item.');
  const reading = readItem(fragment);
  if (reading.kind !== 'item') throw new Error(`Not an item: ${JSON.stringify(reading)}`);
  return reading.item;
}

/** What is found in the first item of a feed: rules with their places, as `rule@line:column`. */
export function violationsOf(feed: string): string[] {
  const [fragment] = scan(feed).fragments;
  if (fragment === undefined) throw new Error('There is no item.');
  const reading = readItem(fragment);
  return reading.kind === 'plain'
    ? []
    : reading.violations.map(({ rule, severity, line, column }) => `${severity} ${rule}@${line}:${column}`);
}
