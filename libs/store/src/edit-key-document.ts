import { Schema } from 'mongoose';
import { schemaOptions } from './schema-options.ts';

/** What a key of an edit stands for; `_id` is `<collection>/<key>`. */
export interface EditKeyDocument {
  _id: string;
  request: string;
  expiresAt: Date;
}

export const editKeySchema = new Schema<EditKeyDocument>(
  {
    _id: { type: String, required: true },
    request: { type: String, required: true },
    expiresAt: { type: Date, required: true },
  },
  schemaOptions,
);
editKeySchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
