import { convertPayload, defaultSharedElements, sharedPayload, withBase } from '#feed-xml';
import type { Payload } from '#feed-xml';
import type { Collection, ItemContent } from '#ports';

/**
 * An incoming item as the collection keeps it, its conflicts too: shared data only (Implementation Notes, Note 1), in the
 * collection's native format.
 * @param base the address of the document that brought it, which its relative references are for; absent where it has none
 * @throws FeedError for content that can't be converted
 */
export function adaptItem(item: ItemContent, collection: Collection, base?: string): ItemContent {
  const shared = collection.settings.sharedElements ?? defaultSharedElements;
  const adapt = (payload: Payload): Payload => {
    const kept = sharedPayload(payload, shared);
    return convertPayload(base === undefined ? kept : withBase(kept, base), collection.format);
  };
  return everyPayload(item, adapt);
}

/** The item with each version's payload replaced. */
export function everyPayload({ sync, data, conflicts }: ItemContent, replace: (payload: Payload) => Payload): ItemContent {
  return { sync, data: replace(data), conflicts: conflicts.map((conflict) => everyPayload(conflict, replace)) };
}
