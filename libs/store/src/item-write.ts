import type { mongo } from 'mongoose';
import type { ItemWrite } from '#ports';
import { toBranchDocument } from './branch-document.ts';
import type { ItemDocument } from './item-document.ts';
import { keyOf } from './key.ts';
import { toPositionDocument } from './position-document.ts';

/**
 * One compare-and-set as a bulk operation. An insert that loses ends in a duplicate key. An update that finds no document
 * would only be counted, and the counts of a bulk do not say which one it was. So it is an upsert that can never insert: it
 * would have to change `_id`, and that error is reported with the place of the operation.
 */
export function itemWrite({ expected, item }: ItemWrite): mongo.AnyBulkWriteOperation<ItemDocument> {
  // Field by field: what a caller passes beyond the port's fields, such as a stale sequence, must not be written.
  const { id, collection, createdAt, updatedAt, entry, deleted, conflictCount, version, sources, subscription, position, branch } = item;
  const _id = keyOf(collection, id);
  const changed = { revision: expected + 1, pending: true, deleted, conflictCount, version, sources, createdAt, updatedAt, entry, content: JSON.stringify(item.content) };
  const optional = { subscription, position: position && toPositionDocument(position), branch: branch && toBranchDocument(branch) };
  if (expected === 0) return { insertOne: { document: { _id, collection, ...optional, ...changed } } };
  const absent = Object.entries(optional).filter(([, value]) => value === undefined).map(([field]): [string, ''] => [field, '']);
  return {
    updateOne: {
      filter: { _id, revision: expected },
      update: {
        $set: { ...changed, ...optional },
        ...(absent.length > 0 && { $unset: Object.fromEntries(absent) }),
        $setOnInsert: { _id: '' },
      },
      upsert: true,
    },
  };
}
