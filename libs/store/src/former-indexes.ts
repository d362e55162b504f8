import mongoose from 'mongoose';
import type { Connection } from 'mongoose';

/** Indexes that others have replaced, by collection. */
const formerIndexes: Readonly<Record<string, readonly string[]>> = {
  collections: ['lease.unfinished_1'],
  items: [
    'collection_1_sequence_1',
    'collection_1_sequence_-1',
    'collection_1_position.parent_1_position.key_1__id_1',
    'collection_1__id_1',
  ],
  subscriptions: ['nextFetchAt_1_host_1_leasedUntil_1'],
};

/** MongoDB's codes for a collection or an index that does not exist. */
const missing: ReadonlySet<unknown> = new Set([26, 27]);

/** Removes indexes that nothing reads any more; several processes may do so at once. */
export async function dropFormerIndexes(connection: Connection): Promise<void> {
  for (const [collection, names] of Object.entries(formerIndexes))
    for (const name of names) await dropIndex(connection, collection, name);
}

async function dropIndex(connection: Connection, collection: string, name: string): Promise<void> {
  try {
    await connection.collection(collection).dropIndex(name);
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoServerError && missing.has(error.code))) throw error;
  }
}
