import { Schema } from 'mongoose';
import type { Collection, CollectionKey } from '#core';
import { schemaOptions } from './schema-options.ts';

/** A collection as MongoDB keeps it; `_id` is its key. */
export interface CollectionDocument extends Omit<Collection, 'key'> {
  _id: CollectionKey;
  /** That `follow` has not recorded all that was published. */
  unfollowed?: true;
  /** The earliest time at which the purge may find something to do; absent if it never does by time alone. */
  purgeAt?: Date;
  /** Since when it is being removed: it is gone for all, and its name is not free yet. */
  removedAt?: Date;
  /** Which process removes what is left, alone until this time. */
  pass?: { readonly remover: string; readonly until: Date };
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
    isPublic: Boolean,
    publication: { type: Schema.Types.Mixed, required: true },
    subscriptionsRevision: Number,
    createdAt: { type: Date, required: true },
    unfollowed: Boolean,
    purgeAt: Date,
    removedAt: Date,
  },
  schemaOptions,
);
// Partial, so that it holds only the collections in which a publisher has something to do.
collectionSchema.index({ unfollowed: 1 }, { partialFilterExpression: { unfollowed: { $exists: true } } });

collectionSchema.index({ purgeAt: 1, _id: 1 }, { partialFilterExpression: { purgeAt: { $exists: true } } });

collectionSchema.index({ removedAt: 1 }, { partialFilterExpression: { removedAt: { $exists: true } } });

/** A condition on rows of collections that are not being removed. */
export const isPresent = { removedAt: { $exists: false } } as const;

/** The collection that a document stands for. */
export function toCollection(document: CollectionDocument): Collection {
  const { _id, unfollowed: _unfollowed, purgeAt: _purgeAt, ...rest } = document;
  return { key: _id, ...rest };
}
