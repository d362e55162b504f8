import { Schema } from 'mongoose';
import type { AuditEntry } from '#core';
import { schemaOptions } from './schema-options.ts';

/** An entry of the audit log as MongoDB keeps it; `_id` is its id, which begins with its time. */
export interface AuditDocument extends Omit<AuditEntry, 'id'> {
  _id: string;
  /** The tenant of its collection. */
  tenant?: string;
}

export const auditSchema = new Schema<AuditDocument>(
  {
    _id: { type: String, required: true },
    chain: { type: String, required: true },
    sequence: { type: Number, required: true },
  },
  { ...schemaOptions, strict: false, suppressReservedKeysWarning: true },
);
auditSchema.index({ chain: 1, sequence: -1 });
auditSchema.index({ collection: 1, _id: 1 }, { partialFilterExpression: { collection: { $exists: true } } });
auditSchema.index({ tenant: 1, _id: 1 }, { partialFilterExpression: { tenant: { $exists: true } } });
auditSchema.index({ 'actor.id': 1, _id: 1 }, { partialFilterExpression: { 'actor.id': { $exists: true } } });

/** The entry that a document stands for. */
export function toAuditEntry({ _id, tenant: _tenant, ...entry }: AuditDocument): AuditEntry {
  return { id: _id, ...entry };
}
