import mongoose from 'mongoose';
import type { Contender } from '../row.ts';

/** As many items at once as a merge job has. */
const batchSize = 250;

interface RawRow {
  readonly _id: string;
  readonly revision: number;
  readonly body: string;
}

/** Majority and journal, as the services write. */
const durable = {
  writeConcern: { w: 'majority', journal: true },
  readConcern: { level: 'majority' },
} as const;

/** Items are inserted in bulk by one writer: what no store can undercut. */
export function rawInsert(uri: string, items: number, body: string): Contender {
  return {
    name: 'raw insert',
    run: () =>
      withRows(uri, async (collection) => {
        const startedAt = performance.now();
        for (let first = 0; first < items; first += batchSize)
          await collection.insertMany(rows(first, Math.min(batchSize, items - first), body));
        return { operations: items, seconds: (performance.now() - startedAt) / 1000 };
      }),
  };
}

/** Items are read and replaced by compare-and-set once each, in bulk: what no merge can undercut. */
export function rawCompareAndSet(uri: string, items: number, body: string, writers: number): Contender {
  return {
    name: writers === 1 ? 'raw read + compare-and-set' : `the same, ${writers} writers`,
    run: () =>
      withRows(uri, async (collection) => {
        const stored = rows(0, items, body);
        await collection.insertMany(stored);
        const batches = Array.from({ length: Math.ceil(items / batchSize) }, (_, index) =>
          stored.slice(index * batchSize, (index + 1) * batchSize).map(({ _id }) => _id),
        );
        const startedAt = performance.now();
        await Promise.all(
          Array.from({ length: writers }, async () => {
            for (let batch = batches.pop(); batch; batch = batches.pop())
              await replaceEach(collection, batch, body);
          }),
        );
        return { operations: items, seconds: (performance.now() - startedAt) / 1000 };
      }),
  };
}

/** One row is read and replaced by compare-and-set at a time by each client: what no edit can undercut. */
export function rawEdits(uri: string, edits: number, clients: number, body: string): Contender {
  return {
    name: `raw read + compare-and-set, one by one, ${clients} clients`,
    run: () =>
      withRows(uri, async (collection) => {
        const stored = rows(0, edits, body);
        await collection.insertMany(stored);
        const startedAt = performance.now();
        await Promise.all(
          Array.from({ length: clients }, async () => {
            for (let row = stored.pop(); row; row = stored.pop())
              await replaceEach(collection, [row._id], body);
          }),
        );
        return { operations: edits, seconds: (performance.now() - startedAt) / 1000 };
      }),
  };
}

/** One row is inserted at a time by each client: what no subscribing can undercut. */
export function rawInserts(uri: string, inserts: number, clients: number, body: string): Contender {
  return {
    name: `raw insert, one by one, ${clients} clients`,
    run: () =>
      withRows(uri, async (collection) => {
        const missing = rows(0, inserts, body);
        const startedAt = performance.now();
        await Promise.all(
          Array.from({ length: clients }, async () => {
            for (let row = missing.pop(); row; row = missing.pop()) await collection.insertOne(row);
          }),
        );
        return { operations: inserts, seconds: (performance.now() - startedAt) / 1000 };
      }),
  };
}

/** One row is written, again and again, each time once the write before is stored. */
export function rawWrites(uri: string, writes: number, body: string): Contender {
  return {
    name: 'one raw write',
    run: () =>
      withRows(uri, async (collection) => {
        await collection.insertMany(rows(0, 1, body));
        const latencies: number[] = [];
        const startedAt = performance.now();
        for (let revision = 2; revision < writes + 2; revision += 1) {
          const sentAt = performance.now();
          await collection.updateOne({ _id: 'raw/0' }, { $set: { revision, body: `${body}${revision}` } });
          latencies.push(performance.now() - sentAt);
        }
        return { operations: writes, seconds: (performance.now() - startedAt) / 1000, latencies };
      }),
  };
}

type Rows = ReturnType<typeof rowsOf>;

function rowsOf(connection: mongoose.Connection) {
  return connection.collection<RawRow>('raw');
}

function rows(first: number, count: number, body: string): RawRow[] {
  return Array.from({ length: count }, (_, index) => ({ _id: `raw/${first + index}`, revision: 1, body }));
}

async function replaceEach(collection: Rows, ids: readonly string[], body: string): Promise<void> {
  const stored = await collection.find({ _id: { $in: [...ids] } }).toArray();
  const { modifiedCount } = await collection.bulkWrite(
    stored.map(({ _id, revision }) => ({
      updateOne: {
        filter: { _id, revision },
        update: { $set: { revision: revision + 1, body: `${body}.` } },
      },
    })),
    { ordered: false },
  );
  if (modifiedCount !== ids.length) throw new Error(`${modifiedCount} of ${ids.length} rows were written`);
}

async function withRows<Result>(uri: string, work: (collection: Rows) => Promise<Result>): Promise<Result> {
  const connection = await mongoose
    .createConnection(uri, { dbName: `bench-raw-${process.pid}`, ...durable })
    .asPromise();
  try {
    return await work(rowsOf(connection));
  } finally {
    await connection.dropDatabase();
    await connection.close();
  }
}
