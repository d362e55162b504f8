import { Schema } from 'mongoose';
import type { IssuedRecord } from '#core';
import { schemaOptions } from './schema-options.ts';

/**
 * What was signed of an item that the store no longer has, also after its collection was removed; `_id` is
 * `<collection>/<id>`.
 */
export interface IssuedDocument {
  _id: string;
  records: readonly IssuedRecord[];
}

export const issuedSchema = new Schema<IssuedDocument>(
  {
    _id: { type: String, required: true },
    records: { type: [Schema.Types.Mixed], required: true },
  },
  schemaOptions,
);
