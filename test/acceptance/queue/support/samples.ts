import { formatCursor } from '#contracts';
import type { ChangeEvent, Job } from '#contracts';
import { collectionKey, subscriptionId } from '#core';
import type { CollectionKey } from '#core';

export function publishJob(collection: CollectionKey, deduplicate?: string): Job {
  return {
    queue: 'publish',
    data: { version: 1, collection },
    ...(deduplicate === undefined ? {} : { deduplicate }),
  };
}

export function mergeJob(batch: number): Job {
  return {
    queue: 'merge',
    data: {
      version: 1,
      collection: collectionKey('notes'),
      subscription: subscriptionId('peer'),
      manifest: 'm',
      batch,
      fragments: [],
    },
  };
}

export function change(
  collection: string,
  sequence: number,
  type: ChangeEvent['type'] = 'feedmesh.item.updated.v1',
): ChangeEvent {
  return {
    specversion: '1.0',
    id: `${collection}:${sequence}`,
    source: `urn:feedmesh:test:${collection}`,
    subject: `item-${sequence}`,
    type,
    time: '2026-11-21T10:00:00Z',
    datacontenttype: 'application/json',
    sequence: formatCursor(sequence),
    data: type.startsWith('feedmesh.item.')
      ? { updates: 1, deleted: false, conflictCount: 0, itemUrl: '' }
      : { subscription: 'peer' },
  } as ChangeEvent;
}
