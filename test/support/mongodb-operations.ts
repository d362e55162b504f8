import mongoose from 'mongoose';

/** One operation that was requested of MongoDB. */
export interface MongodbOperation {
  /** The command, such as `find`, and its collection. */
  readonly name: string;
  /** The names of the fields that it requests, if it names any. */
  readonly fields: readonly string[];
  /** How many documents the server looked at for it. */
  readonly documents: number;
}

/** The operations on a database while something is done, in their order; `getMore` counts. */
export async function mongodbOperations(
  uri: string,
  database: string,
  work: () => Promise<unknown>,
): Promise<MongodbOperation[]> {
  const client = await new mongoose.mongo.MongoClient(uri).connect();
  try {
    const db = client.db(database);
    // Large enough that nothing is pushed out of it.
    await db.dropCollection('system.profile').catch(() => {});
    await db.createCollection('system.profile', { capped: true, size: 33_554_432 });
    await db.command({ profile: 2 });
    await work();
    await db.command({ profile: 0 });
    const rows = await db.collection('system.profile').find().sort({ ts: 1 }).toArray();
    return rows
      .filter(({ ns }) => ns !== `${database}.system.profile` && ns !== `${database}.$cmd`)
      .map(({ ns, op, command, docsExamined = 0 }) => {
        const { projection = {} } = command as { projection?: object };
        const kind = op === 'command' ? (Object.keys(command as object)[0] ?? op) : op;
        return {
          name: `${String(kind)} ${String(ns).slice(database.length + 1)}`,
          fields: Object.keys(projection),
          documents: Number(docsExamined),
        };
      });
  } finally {
    await client.close();
  }
}
