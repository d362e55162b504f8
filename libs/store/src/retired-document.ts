import { Schema } from 'mongoose';
import { schemaOptions } from './schema-options.ts';

/** What must outlive a removed collection, so that its numbers are never given again; `_id` is its name. */
export interface RetiredDocument {
  _id: string;
  sequence: number;
}

export const retiredSchema = new Schema<RetiredDocument>(
  {
    _id: { type: String, required: true },
    sequence: { type: Number, required: true },
  },
  schemaOptions,
);
