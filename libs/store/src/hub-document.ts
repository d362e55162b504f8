import { Schema } from 'mongoose';
import type { HubSubscription } from '#core';
import { schemaOptions } from './schema-options.ts';

/**
 * A subscription at a hub as MongoDB keeps it; `_id` is `<collection>/<subscription>/<digest>`, the last one
 * of hub and topic. It stays when its collection is removed, since the end has to be announced to the hub.
 */
export interface HubDocument extends HubSubscription {
  _id: string;
}

export const hubSchema = new Schema<HubDocument>(
  {
    _id: { type: String, required: true },
    collection: { type: String, required: true },
    subscription: { type: String, required: true },
    hub: { type: String, required: true },
    topic: { type: String, required: true },
    token: { type: String, required: true },
    secret: { type: String, required: true },
    callback: { type: String, required: true },
    pending: String,
    leasedUntil: Date,
    attempts: { type: Number, required: true },
    nextAt: { type: Date, required: true },
    revision: { type: Number, required: true },
  },
  { ...schemaOptions, suppressReservedKeysWarning: true },
);
hubSchema.index({ token: 1 });
hubSchema.index({ nextAt: 1 });
