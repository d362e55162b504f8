import { Schema } from 'mongoose';
import type { StoredUsage } from '#core';
import { schemaOptions } from './schema-options.ts';

/**
 * What is stored of a collection of a tenant; `_id` is `<collection>/stored`, so it goes with the collection.
 */
export interface UsageDocument extends StoredUsage {
  _id: string;
  /** By how much it has changed in all, up and down. */
  moved: StoredUsage;
  /** When it was last counted anew; absent before the first time. */
  countedAt?: Date;
  /** Until when somebody is counting it anew. */
  leasedUntil?: Date;
}

export const usageSchema = new Schema<UsageDocument>(
  {
    _id: { type: String, required: true },
    items: { type: Number, required: true },
    bytes: { type: Number, required: true },
    files: { type: Number, required: true },
    moved: { type: Schema.Types.Mixed, required: true },
    countedAt: Date,
    leasedUntil: Date,
  },
  schemaOptions,
);
usageSchema.index({ countedAt: 1 });
