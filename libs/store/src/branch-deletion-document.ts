import { Schema } from 'mongoose';
import type { BranchDeletion } from '#core';
import { schemaOptions } from './schema-options.ts';

/**
 * A deletion of a branch as MongoDB keeps it, which removes it some time after it has ended; `_id` is
 * `<collection>/<id>`.
 */
export interface BranchDeletionDocument extends BranchDeletion {
  _id: string;
  /** Absent once it has ended. The holder is empty while nobody has it. */
  lease?: { holder: string; expiresAt: Date };
  keptUntil?: Date;
}

export const branchDeletionSchema = new Schema<BranchDeletionDocument>(
  {
    _id: { type: String, required: true },
    collection: { type: String, required: true },
    id: { type: String, required: true },
    item: { type: String, required: true },
    removeData: Boolean,
    actor: Schema.Types.Mixed,
    requestedAt: { type: Date, required: true },
    isBegun: Boolean,
    done: { type: Number, required: true },
    total: { type: Number, required: true },
    endedAt: Date,
    failure: String,
    lease: Schema.Types.Mixed,
    keptUntil: Date,
  },
  { ...schemaOptions, suppressReservedKeysWarning: true },
);
branchDeletionSchema.index(
  { 'lease.expiresAt': 1 },
  { partialFilterExpression: { 'lease.expiresAt': { $exists: true } } },
);
branchDeletionSchema.index({ keptUntil: 1 }, { expireAfterSeconds: 0 });
