import { formatCursor } from '#contracts';
import type { ItemChangeType, ItemEvent, SubscriptionEvent } from '#contracts';
import { eventSource, itemUrl } from '#protocol';
import { eventText, nameOf } from '#core';
import type { ChangeBlock, Collection, Notice, PendingItem, PublishedItem } from '#core';
import { publicationTimeOf } from './publication-time.ts';

/** What an event says of a pending item. */
export interface EventItem extends PendingItem {
  /** In a collection with `includeItem`: the item, or that it is too long. */
  readonly shown?: Pick<ItemEvent['data'], 'item' | 'itemOmitted'> | undefined;
}

/** What a block is made of: changes of one collection that follow what it has published so far. */
interface BlockMaterial {
  readonly collection: Collection;
  readonly items: readonly EventItem[];
  readonly notices: readonly Notice[];
  readonly publicUrl: string;
  readonly now: Date;
}

/**
 * The part of a block that one document of the log can hold: its first changes, one at least. The others stay
 * pending. An item's id counts three times: it is in the block once more, and twice in what records the block
 * on its items.
 * @param maximumBytes how much the changes may take; one takes 70 kB at the most, and 256 KiB
 *   more with its item
 */
export function fittingBlock(block: ChangeBlock, maximumBytes: number): ChangeBlock {
  let bytes = 0;
  const beyond = block.events.findIndex((event, place) => {
    const { id = '' } = block.items[place] ?? {};
    bytes += Buffer.byteLength(eventText(event)) + 3 * Buffer.byteLength(id) + recordBytes;
    return place > 0 && bytes > maximumBytes;
  });
  if (beyond < 0) return block;
  const items = block.items.slice(0, beyond);
  return {
    ...block,
    events: block.events.slice(0, beyond),
    items,
    notices: block.notices.slice(0, beyond - items.length),
  };
}

/** What a change takes in a block beside its event and its id. */
const recordBytes = 200;

/**
 * Gives each pending item and notice the next sequence, and says what changed since it was last announced.
 */
export function composeBlock({ collection, items, notices, publicUrl, now }: BlockMaterial): ChangeBlock {
  const { key, publication } = collection;
  const first = publication.sequence + 1;
  const [name, source, time] = [nameOf(key), eventSource(collection), now.toISOString()];
  const envelope = <Type extends string>(sequence: number, subject: string, type: Type) => {
    const cursor = formatCursor(sequence);
    return {
      specversion: '1.0' as const,
      id: `${name}:${cursor}`,
      source,
      subject,
      type,
      time,
      datacontenttype: 'application/json' as const,
      sequence: cursor,
    };
  };
  const itemEvents = items.map((item, index): ItemEvent => ({
    ...envelope(first + index, item.id, `feedmesh.item.${changeType(item)}.v1`),
    ...(item.trace !== undefined && { traceparent: item.trace }),
    data: itemData(item, publicUrl),
  }));
  const noticeEvents = notices.map(({ id: _id, collection: _collection, at: _at, type, ...data }, index) => ({
    ...envelope(first + items.length + index, data.subscription, `feedmesh.subscription.${type}.v1`),
    data,
  })) as SubscriptionEvent[];
  return {
    collection: key,
    first,
    events: [...itemEvents, ...noticeEvents],
    items: items.map((item, index) => published(item, first + index)),
    notices: notices.map(({ id }) => id),
    at: publicationTimeOf(collection, now),
  };
}

/**
 * The kind of change between what was announced and what is. A version that a policy has made (FeedSync 3.4)
 * is a resolution even if the conflicts it resolved were never announced.
 */
export function changeType({
  announced,
  deleted,
  conflictCount,
  version,
}: Pick<PendingItem, 'announced' | 'deleted' | 'conflictCount' | 'version'>): ItemChangeType {
  if (announced === undefined) return deleted ? 'deleted' : 'created';
  if (deleted !== announced.deleted) return deleted ? 'deleted' : 'undeleted';
  if (version.resolution !== undefined) return 'resolved';
  if (conflictCount > announced.conflictCount) return 'conflicted';
  if (conflictCount === 0 && announced.conflictCount > 0) return 'resolved';
  return 'updated';
}

function itemData(item: EventItem, publicUrl: string): ItemEvent['data'] {
  return {
    ...item.version,
    deleted: item.deleted,
    conflictCount: item.conflictCount,
    ...(item.subscription !== undefined && { subscription: item.subscription }),
    itemUrl: itemUrl(publicUrl, item.collection, item.id),
    ...item.shown,
  };
}

function published({ id, revision, deleted, conflictCount }: PendingItem, sequence: number): PublishedItem {
  return { id, sequence, revision, deleted, conflictCount };
}
