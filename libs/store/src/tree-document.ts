import { Schema } from 'mongoose';
import type { TreeDocument } from '#core';
import { idOf } from './key.ts';
import { schemaOptions } from './schema-options.ts';

/** A document of a mirrored tree as MongoDB keeps it; `_id` is `<collection>/<url>`. */
export interface StoredTreeDocument extends Omit<TreeDocument, 'url'> {
  _id: string;
}

export const treeDocumentSchema = new Schema<StoredTreeDocument>(
  {
    _id: { type: String, required: true },
    collection: { type: String, required: true },
    isFeed: { type: Boolean, required: true },
    onDemand: { type: Boolean, required: true },
    isRequested: { type: Boolean, required: true },
    lastBuildDate: { type: String, required: true },
    copy: Schema.Types.Mixed,
    failure: Schema.Types.Mixed,
    outcome: Schema.Types.Mixed,
    merged: String,
    dropped: String,
    changed: String,
  },
  { ...schemaOptions, suppressReservedKeysWarning: true },
);
for (const digest of ['copy.digest', 'copy.parsed'])
  treeDocumentSchema.index(
    { collection: 1, [digest]: 1 },
    { partialFilterExpression: { [digest]: { $exists: true } } },
  );
treeDocumentSchema.index(
  { collection: 1, isRequested: 1, _id: 1 },
  { partialFilterExpression: { isRequested: true } },
);
treeDocumentSchema.index(
  { collection: 1, dropped: 1, _id: 1 },
  { partialFilterExpression: { dropped: { $exists: true } } },
);

treeDocumentSchema.index(
  { collection: 1, changed: 1 },
  { partialFilterExpression: { changed: { $exists: true } } },
);

/** The document of a tree that a stored one stands for. */
export function toTreeDocument({ _id, ...rest }: StoredTreeDocument): TreeDocument {
  return { ...rest, url: idOf(_id) };
}
