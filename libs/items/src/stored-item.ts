import type { Collection, ItemContent, ItemWrite, Source, StoredItem, VersionSummary } from '#ports';
import { entryIn } from './entry.ts';

/** Where our own feeds and items are reached, and the time. */
export interface WriteContext {
  readonly collection: Collection;
  readonly publicUrl: string;
  readonly now: Date;
}

/** What a write is due to. */
export interface WriteOrigin {
  /** The fragment that brought it; absent for a local edit. */
  readonly source?: Source;
  /** That the new version is a programmatic resolution (FeedSync 3.4). */
  readonly resolution?: VersionSummary['resolution'];
}

/** The write that makes `content` the item's next revision, serialised for our feeds. */
export function itemWrite({ collection, publicUrl, now }: WriteContext, stored: StoredItem | undefined, content: ItemContent, { source, resolution }: WriteOrigin = {}): ItemWrite {
  return {
    expected: stored?.revision ?? 0,
    item: {
      collection: collection.name,
      id: content.sync.id,
      content,
      entry: entryIn(collection.format, collection, { content, updatedAt: now }, publicUrl),
      deleted: content.sync.deleted,
      conflictCount: content.conflicts.length,
      version: { ...summary(content), ...(resolution && { resolution }) },
      sources: withSource(stored?.sources ?? [], source),
      ...(source && { subscription: source.subscription }),
      createdAt: stored?.createdAt ?? now,
      updatedAt: now,
    },
  };
}

function summary({ sync: { updates, noconflicts, history } }: ItemContent): VersionSummary {
  const { sequence, when, by } = history[0] ?? { sequence: 0 };
  return { updates, ...(noconflicts !== undefined && { noconflicts }), history: { sequence, ...(when !== undefined && { when }), ...(by !== undefined && { by }) } };
}

function withSource(sources: readonly Source[], source: Source | undefined): readonly Source[] {
  if (source === undefined) return sources;
  return [...sources.filter(({ subscription }) => subscription !== source.subscription), source];
}
