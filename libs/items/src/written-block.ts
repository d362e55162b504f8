import { requestFollow, requestPublish } from '#contracts';
import type { Job } from '#contracts';
import type { Collection, ComposeBlock, ItemWrite, PendingItem } from '#core';
import { protocolOf } from '#protocols';
import { composeBlock } from './compose-block.ts';

/** What composing blocks needs of the world. */
interface BlockPorts {
  readonly now: () => Date;
  readonly publicUrl: string;
}

/**
 * Whether writers publish what they write to a collection. It is left to the publisher where events have the
 * items, and where every block needs a second of its own.
 */
export function isPublishedAtOnce(collection: Collection): boolean {
  return collection.settings.includeItem !== true && !protocolOf(collection).statesPublicationTimes;
}

/** Requests the events of items that were written, or their publication where that is the publisher's. */
export function requestPublication(collection: Collection): Job {
  return isPublishedAtOnce(collection) ? requestFollow(collection.key) : requestPublish(collection.key);
}

/** Composes the blocks with which writers publish what they write, where they do. */
export function writtenBlocks({ now, publicUrl }: BlockPorts): ComposeBlock {
  return (writes, collection) => {
    if (!isPublishedAtOnce(collection)) return undefined;
    const items = writes.map(writtenItem);
    return composeBlock({ collection, items, notices: [], publicUrl, now: now() });
  };
}

function writtenItem({ expected, item, former, trace }: ItemWrite): PendingItem {
  const { collection, id, deleted, conflictCount, version, subscription, updatedAt } = item;
  return {
    collection,
    id,
    revision: expected + 1,
    deleted,
    conflictCount,
    version,
    updatedAt,
    ...(subscription !== undefined && { subscription }),
    ...(former?.announced && { announced: former.announced }),
    ...(trace !== undefined && { trace }),
  };
}
