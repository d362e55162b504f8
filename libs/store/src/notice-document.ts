import { Schema } from 'mongoose';
import type { Notice } from '#core';
import { schemaOptions } from './schema-options.ts';

/** A notice as MongoDB keeps it; `_id` is `<collection>/<id>`, and all that is kept once it is an event. */
export type NoticeDocument = Notice & {
  _id: string;
  /** Only of one that became an event. */
  keptUntil?: Date;
};

export const noticeSchema = new Schema<NoticeDocument>(
  {
    _id: { type: String, required: true },
    collection: { type: String, required: true },
    id: { type: String, required: true },
    subscription: { type: String, required: true },
    type: { type: String, required: true },
    at: { type: Date, required: true },
    discarded: Number,
    endpoint: String,
    url: String,
    formerUrl: String,
    progress: Schema.Types.Mixed,
    keptUntil: Date,
  },
  { ...schemaOptions, suppressReservedKeysWarning: true },
);
noticeSchema.index({ collection: 1, at: 1, _id: 1 });
noticeSchema.index({ keptUntil: 1 }, { expireAfterSeconds: 0 });
