import { Schema } from 'mongoose';
import type { TreeFeed } from '#core';
import { schemaOptions } from './schema-options.ts';

/** A feed of a tree as MongoDB keeps it; `_id` is `<collection>/<id>`. */
export interface FeedDocument extends TreeFeed {
  _id: string;
  /** Grows with every change of title or head. */
  revision: number;
  /** Whether that change has no date yet. */
  pending: boolean;
}

export const feedSchema = new Schema<FeedDocument>(
  {
    _id: { type: String, required: true },
    collection: { type: String, required: true },
    id: { type: String, required: true },
    title: String,
    head: { type: [String], required: true },
    url: String,
    publishedAt: Date,
    createdAt: { type: Date, required: true },
    revision: { type: Number, required: true },
    pending: { type: Boolean, required: true },
  },
  { ...schemaOptions, suppressReservedKeysWarning: true },
);
feedSchema.index({ collection: 1, pending: 1, id: 1 }, { partialFilterExpression: { pending: true } });
