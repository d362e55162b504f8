import { Schema } from 'mongoose';
import type { TreeFeed } from '#ports';
import { schemaOptions } from './schema-options.ts';

/** A feed of a tree as MongoDB keeps it; `_id` is `<collection>/<id>`. */
export interface FeedDocument extends TreeFeed {
  _id: string;
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
  },
  { ...schemaOptions, suppressReservedKeysWarning: true },
);
