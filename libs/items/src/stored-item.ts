import type {
  Actor,
  Collection,
  ItemContent,
  ItemWrite,
  Source,
  StoredItem,
  SubscriptionId,
  VersionSummary,
} from '#core';
import { protocolOf } from '#protocols';

/** Whose item is written, and when. */
interface WriteContext {
  readonly collection: Collection;
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
  /** Who edits. */
  readonly actor?: Actor;
  /** That the new version is a programmatic resolution (FeedSync 3.4). */
  readonly resolution?: VersionSummary['resolution'];
}

/** The write that makes `content` the item's next revision. */
export function itemWrite(
  { collection, now }: WriteContext,
  stored: StoredItem | undefined,
  content: ItemContent,
  origin: WriteOrigin = {},
): ItemWrite {
  const { source, resolution, actor, subscription = source?.subscription, issued = stored?.issued } = origin;
  const { version, ...summary } = protocolOf(collection).summary(content);
  return {
    expected: stored?.revision ?? 0,
    ...(stored && { former: stored }),
    item: {
      collection: collection.key,
      content,
      ...summary,
      version: { ...version, ...(resolution && { resolution }) },
      sources: withSource(stored?.sources ?? [], source),
      ...(subscription !== undefined && { subscription }),
      ...(issued && { issued }),
      ...(actor && { actor }),
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
