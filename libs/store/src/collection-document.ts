import { Schema } from 'mongoose';
import type { Collection, CollectionKey } from '#core';
import { schemaOptions } from './schema-options.ts';

/** A collection as MongoDB keeps it; `_id` is its key. */
export interface CollectionDocument extends Omit<Collection, 'key'> {
  _id: CollectionKey;
  /** Who may publish until when, by the server's clock; epoch 0 before the first holder. */
  lease: { holder: string; epoch: number; expiresAt: Date };
}

export const collectionSchema = new Schema<CollectionDocument>(
  {
    _id: { type: String, required: true },
    protocol: { type: String, required: true },
    format: { type: String, required: true },
    title: String,
    endpoint: { type: String, required: true },
    retiredEndpoints: { type: [String], default: undefined },
    settings: { type: Schema.Types.Mixed, required: true },
    publication: { type: Schema.Types.Mixed, required: true },
    subscriptionsRevision: Number,
    createdAt: { type: Date, required: true },
    lease: { holder: String, epoch: Number, expiresAt: Date },
  },
  schemaOptions,
);

/** The collection that a document stands for. */
export function toCollection(document: CollectionDocument): Collection {
  const { _id, lease: _lease, ...rest } = document;
  return { key: _id, ...rest };
}
