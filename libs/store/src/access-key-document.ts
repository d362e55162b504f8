import { Schema } from 'mongoose';
import type { AccessKey } from '#core';
import { schemaOptions } from './schema-options.ts';

/** A key as MongoDB keeps it; `_id` is its id. */
export interface AccessKeyDocument extends Omit<AccessKey, 'id'> {
  _id: string;
}

export const accessKeySchema = new Schema<AccessKeyDocument>(
  {
    _id: { type: String, required: true },
    name: { type: String, required: true },
    grants: { type: Schema.Types.Mixed, required: true },
    subject: String,
    secrets: { type: Schema.Types.Mixed, required: true },
    createdAt: { type: Date, required: true },
    expiresAt: Date,
    lastUsedAt: Date,
  },
  schemaOptions,
);
