import { Schema } from 'mongoose';
import type { Tenant } from '#core';
import { schemaOptions } from './schema-options.ts';

/** A tenant as MongoDB keeps it; `_id` is its name. */
export interface TenantDocument extends Omit<Tenant, 'name'> {
  _id: string;
}

export const tenantSchema = new Schema<TenantDocument>(
  {
    _id: { type: String, required: true },
    limits: { type: Schema.Types.Mixed, required: true },
    isSuspended: { type: Boolean, required: true },
    createdAt: { type: Date, required: true },
  },
  schemaOptions,
);
// Every gateway reads them twice a second.
tenantSchema.index({ isSuspended: 1, _id: 1 }, { partialFilterExpression: { isSuspended: true } });
