import mongoose from 'mongoose';

/** As many items at once as a merge job has. */
const batchSize = 250;

/**
 * What no pipeline can undercut: each item is read and replaced by compare-and-set once, in bulk, on a
 * majority and in the journal. Returns seconds.
 * @param writers how many batches are in progress at the same time
 */
export async function measureRawWrites(
  uri: string,
  database: string,
  items: number,
  body: string,
  writers: number,
): Promise<number> {
  const connection = await mongoose
    .createConnection(uri, {
      dbName: database,
      writeConcern: { w: 'majority', journal: true },
      readConcern: { level: 'majority' },
    })
    .asPromise();
  try {
    const collection = connection.collection<{ _id: string; revision: number; body: string }>('raw');
    const ids = Array.from({ length: items }, (_, index) => `raw/${index}`);
    await collection.insertMany(ids.map((_id) => ({ _id, revision: 1, body })));
    const batches = Array.from({ length: Math.ceil(items / batchSize) }, (_, index) =>
      ids.slice(index * batchSize, (index + 1) * batchSize),
    );
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: writers }, async () => {
        for (let batch = batches.pop(); batch; batch = batches.pop()) {
          const stored = await collection.find({ _id: { $in: batch } }).toArray();
          const { modifiedCount } = await collection.bulkWrite(
            stored.map(({ _id, revision }) => ({
              updateOne: {
                filter: { _id, revision },
                update: { $set: { revision: revision + 1, body: `${body}.` } },
              },
            })),
            { ordered: false },
          );
          if (modifiedCount !== batch.length)
            throw new Error(`${modifiedCount} of ${batch.length} items were written`);
        }
      }),
    );
    return (performance.now() - startedAt) / 1000;
  } finally {
    await connection.dropDatabase();
    await connection.close();
  }
}
