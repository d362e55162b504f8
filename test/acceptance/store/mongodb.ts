import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';

/** Where the tests' MongoDB is. */
export function mongodbUri(): string {
  const uri = process.env['MONGODB_URI'];
  if (uri === undefined) throw new Error('MONGODB_URI is not set');
  return uri;
}

/** A name for a database that no other test uses. */
export function ownDatabase(): string {
  return `feedmesh-test-${randomBytes(8).toString('hex')}`;
}

/** Works on a database past the store. */
export async function withDatabase<Answer>(
  name: string,
  work: (database: mongoose.mongo.Db) => Promise<Answer>,
): Promise<Answer> {
  const client = await new mongoose.mongo.MongoClient(mongodbUri()).connect();
  try {
    return await work(client.db(name));
  } finally {
    await client.close();
  }
}
