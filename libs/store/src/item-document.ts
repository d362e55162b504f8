import { Schema } from 'mongoose';
import type { Announcement, ItemContent, PendingItem, Source, StoredItem, VersionSummary } from '#ports';
import { idOf } from './key.ts';
import { schemaOptions } from './schema-options.ts';

/** An item as MongoDB keeps it; `_id` is `<collection>/<id>`. */
export interface ItemDocument {
  _id: string;
  collection: string;
  revision: number;
  /** Whether the revision was not announced yet. */
  pending: boolean;
  sequence?: number;
  publishedAt?: Date;
  announced?: Announcement;
  deleted: boolean;
  conflictCount: number;
  version: VersionSummary;
  sources: readonly Source[];
  subscription?: string;
  createdAt: Date;
  updatedAt: Date;
  entry: string;
  /** JSON: nothing in it can be taken for a field name or a BSON type, and it is read and written faster than BSON. */
  content: string;
}

export const itemSchema = new Schema<ItemDocument>(
  {
    _id: { type: String, required: true },
    collection: { type: String, required: true },
    revision: { type: Number, required: true },
    pending: { type: Boolean, required: true },
    sequence: Number,
    publishedAt: Date,
    announced: Schema.Types.Mixed,
    deleted: { type: Boolean, required: true },
    conflictCount: { type: Number, required: true },
    version: { type: Schema.Types.Mixed, required: true },
    sources: { type: [Schema.Types.Mixed], required: true },
    subscription: String,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    entry: { type: String, required: true },
    content: { type: String, required: true },
  },
  { ...schemaOptions, suppressReservedKeysWarning: true },
);
// Partial, so that an item costs no index entry for what it is not.
itemSchema.index({ collection: 1, pending: 1 }, { partialFilterExpression: { pending: true } });
itemSchema.index({ collection: 1, sequence: 1 }, { partialFilterExpression: { sequence: { $exists: true } } });
itemSchema.index({ collection: 1, publishedAt: 1, sequence: 1 }, { partialFilterExpression: { deleted: true } });
itemSchema.index({ collection: 1, _id: 1 }, { partialFilterExpression: { conflictCount: { $gt: 0 } } });

/** What of a document a pending item needs: neither content nor entry, which are most of it. */
export const pendingProjection = { collection: 1, revision: 1, deleted: 1, conflictCount: 1, version: 1, subscription: 1, sequence: 1, announced: 1 } as const;

/** The pending item that a document stands for. */
export function toPendingItem({ _id, ...rest }: Pick<ItemDocument, '_id' | keyof typeof pendingProjection>): PendingItem {
  return { id: idOf(_id), ...rest };
}

/** The item that a document stands for. */
export function toStoredItem(document: ItemDocument): StoredItem {
  const { _id, pending: _pending, content, ...rest } = document;
  return { ...rest, id: idOf(_id), content: JSON.parse(content) as ItemContent };
}
