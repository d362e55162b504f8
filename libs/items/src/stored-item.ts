import type { Collection, ItemContent, ItemWrite, Source, StoredItem, VersionSummary } from '#ports';
import { publisherData } from './identity.ts';
import { protocols } from './protocols.ts';

/** Where our own feeds and items are reached, and the time. */
export interface WriteContext {
  readonly collection: Collection;
  readonly publicUrl: string;
  readonly now: Date;
}

/**
 * The write that makes `content` the item's next revision, serialised for our feeds.
 * @param source the fragment that brought it; absent for a local edit
 */
export function itemWrite(context: WriteContext, stored: StoredItem | undefined, content: ItemContent, source?: Source): ItemWrite {
  const { collection, publicUrl, now } = context;
  return {
    expected: stored?.revision ?? 0,
    item: {
      collection: collection.name,
      id: content.sync.id,
      content,
      entry: protocols[collection.protocol].write(content, publisherData(collection, content, publicUrl, now)),
      deleted: content.sync.deleted,
      conflictCount: content.conflicts.length,
      version: summary(content),
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
