import type { ComposeBlock, ItemWrite, PendingItem } from '#core';
import { protocolOf } from '#protocols';
import { composeBlock } from './compose-block.ts';
import { publicationTimeOf } from './publication-time.ts';

/** What composing blocks needs of the world. */
interface BlockPorts {
  readonly now: () => Date;
  readonly publicUrl: string;
}

/**
 * Composes the blocks with which writers publish what they write. It is left to the publisher
 * in collections whose events have the items, and where every block needs a second of its own.
 */
export function writtenBlocks({ now, publicUrl }: BlockPorts): ComposeBlock {
  return (writes, collection) => {
    if (collection.settings.includeItem === true || protocolOf(collection).statesPublicationTimes)
      return undefined;
    const time = now();
    return composeBlock({
      collection: collection.key,
      endpoint: collection.endpoint,
      after: collection.publication.sequence,
      items: writes.map(writtenItem),
      notices: [],
      publicUrl,
      now: time,
      at: publicationTimeOf(collection, time),
    });
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
