import { feedsyncDialect, readItem } from '#feedsync';
import type { Item } from '#feedsync';
import { FeedScanner } from '#xml';
import type { Payload } from '#xml';

/** A feed of FeedSync in which everything is an item. */
export interface SyncFeed {
  /** The sequences of `sx:sharing`; `since` is 0 in a feed that does not say it. */
  readonly since: number;
  readonly until: number;
  readonly items: readonly Item<Payload>[];
}

/** Reads a feed. Throws if an entry in it is not an item. */
export function readSyncFeed(text: string): SyncFeed {
  const scanner = new FeedScanner(feedsyncDialect);
  const items = scanner.write(text).map((fragment) => {
    const read = readItem(fragment);
    if (read.kind !== 'item') throw new Error(`not an item: ${fragment.xml}`);
    return read.item;
  });
  const { since, until } = scanner.end().sharing ?? {};
  return { since: Number(since ?? 0), until: Number(until), items };
}
