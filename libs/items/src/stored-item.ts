import type {
  Collection,
  ItemContent,
  ItemWrite,
  Source,
  StoredItem,
  SubscriptionId,
  VersionSummary,
} from '#core';
import { entryIn } from './entry.ts';
import { protocolOf } from '#protocols';

/** Where our own feeds and items are reached, and the time. */
interface WriteContext {
  readonly collection: Collection;
  readonly publicUrl: string;
  readonly now: Date;
}

/** What a write is due to. */
interface WriteOrigin {
  /** The fragment that brought it; absent for a local edit. */
  readonly source?: Source;
  /** The subscription that brought the change, if that is not the source's. */
  readonly subscription?: SubscriptionId;
  /** What was signed here of it, if that has changed. */
  readonly issued?: StoredItem['issued'];
  /** That the new version is a programmatic resolution (FeedSync 3.4). */
  readonly resolution?: VersionSummary['resolution'];
}

/** The write that makes `content` the item's next revision, serialised for our feeds. */
export function itemWrite(
  { collection, publicUrl, now }: WriteContext,
  stored: StoredItem | undefined,
  content: ItemContent,
  origin: WriteOrigin = {},
): ItemWrite {
  const { source, resolution, subscription = source?.subscription, issued = stored?.issued } = origin;
  const { version, ...summary } = protocolOf(collection).summary(content);
  return {
    expected: stored?.revision ?? 0,
    item: {
      collection: collection.key,
      content,
      entry: entryIn(collection.format, collection, { content, updatedAt: now }, publicUrl),
      ...summary,
      version: { ...version, ...(resolution && { resolution }) },
      sources: withSource(stored?.sources ?? [], source),
      ...(subscription !== undefined && { subscription }),
      ...(issued && { issued }),
      createdAt: stored?.createdAt ?? creationOf(protocolOf(collection).creation(content), now),
      updatedAt: now,
    },
  };
}

/** When an item was made: as it says itself, which can't be after now; now if it says nothing. */
function creationOf(said: string | undefined, now: Date): Date {
  const time = Date.parse(said ?? '');
  return time < now.getTime() ? new Date(time) : now;
}

function withSource(sources: readonly Source[], source: Source | undefined): readonly Source[] {
  if (source === undefined) return sources;
  return [...sources.filter(({ subscription }) => subscription !== source.subscription), source];
}
