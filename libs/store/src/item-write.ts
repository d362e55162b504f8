import type { mongo } from 'mongoose';
import type { ItemWrite } from '#core';
import { toTreeRefsDocument } from './tree-refs-document.ts';
import type { ItemDocument } from './item-document.ts';
import { keyOf } from './key.ts';
import { withSources } from './source-filter.ts';
import { toPositionDocument } from './position-document.ts';

/**
 * Field by field: what a caller passes beyond the port's fields, such as a stale sequence, must not be
 * written.
 */
export function itemRow({ expected, item, trace }: ItemWrite): ItemDocument {
  const {
    id,
    collection,
    createdAt,
    updatedAt,
    deleted,
    conflictCount,
    version,
    sources,
    subscription,
    issued,
    position,
    branch,
    actor,
    edits,
  } = item;
  return {
    _id: keyOf(collection, id),
    collection,
    revision: expected + 1,
    pending: true,
    deleted,
    conflictCount,
    version: JSON.stringify(version),
    sources,
    createdAt,
    updatedAt,
    content: JSON.stringify(item.content),
    subscription,
    issued,
    position: position && toPositionDocument(position),
    branch: branch && toTreeRefsDocument(branch),
    trace,
    actor,
    // Not written if absent, so that those that are stored stay.
    ...(edits && { edits }),
  };
}

/** An item to be written, and its row as it would be if it waited for a publisher. */
export interface RowWrite {
  readonly write: ItemWrite;
  readonly row: ItemDocument;
}

/**
 * One compare-and-set as a bulk operation. An insert that loses ends in a duplicate key. An update that finds
 * no document would only be counted, and the counts of a bulk do not say which one it was. So it is an upsert
 * that can never insert: it would have to change `_id`, and that error is reported with the place of the
 * operation.
 */
export function itemWrite({ write: { former }, row }: RowWrite): mongo.AnyBulkWriteOperation<ItemDocument> {
  const {
    _id,
    collection: _collection,
    revision,
    subscription,
    issued,
    position,
    branch,
    trace,
    actor,
    ...changed
  } = row;
  if (revision === 1) return { insertOne: { document: row } };
  const optional = { subscription, issued, position, branch, trace, actor };
  const absent = Object.entries(optional)
    .filter(([, value]) => value === undefined)
    .map(([field]): [string, ''] => [field, '']);
  return {
    updateOne: {
      filter: { _id, revision: revision - 1, ...(former && withSources(former.sources)) },
      update: {
        $set: { ...changed, revision, ...optional },
        ...(absent.length > 0 && { $unset: Object.fromEntries(absent) }),
        $setOnInsert: { _id: '' },
      },
      upsert: true,
    },
  };
}
