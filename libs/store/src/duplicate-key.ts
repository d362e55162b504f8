import mongoose from 'mongoose';

/** MongoDB's code for an insert whose key exists. */
export const duplicateKey = 11000;

/** Whether an error says that a document with this key exists. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoServerError && error.code === duplicateKey;
}
