import { Schema } from 'mongoose';
import type { Manifest } from '#core';
import { schemaOptions } from './schema-options.ts';

/** A manifest as MongoDB keeps it; `_id` is `<collection>/<id>`. */
export interface ManifestDocument extends Manifest {
  _id: string;
}

export const manifestSchema = new Schema<ManifestDocument>(
  {
    _id: { type: String, required: true },
    collection: { type: String, required: true },
    id: { type: String, required: true },
    subscription: { type: String, required: true },
    openedAt: { type: Date, required: true },
    touchedAt: { type: Date, required: true },
    seal: Schema.Types.Mixed,
    done: { type: [Number], required: true },
    rejected: { type: Number, required: true },
    plain: Number,
    exceeded: String,
    // Mixed, for an array would be there from the beginning.
    violations: Schema.Types.Mixed,
  },
  { ...schemaOptions, suppressReservedKeysWarning: true },
);
manifestSchema.index({ touchedAt: 1 });
