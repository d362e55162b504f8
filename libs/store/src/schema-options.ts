/**
 * What all schemas share: documents are stored as they are given, and indexes are made when the store opens.
 */
export const schemaOptions = {
  autoCreate: false,
  autoIndex: false,
  id: false,
  minimize: false,
  strict: 'throw',
  versionKey: false,
} as const;
