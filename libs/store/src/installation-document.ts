import { Schema } from 'mongoose';
import { schemaOptions } from './schema-options.ts';

/** What MongoDB keeps of the installation; there is one, and its `_id` is `installation`. */
export interface InstallationDocument {
  _id: string;
  identifier: string;
}

export const installationSchema = new Schema<InstallationDocument>(
  {
    _id: { type: String, required: true },
    identifier: { type: String, required: true },
  },
  schemaOptions,
);
