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

/**
 * An item is written, its change is inserted into a log, the item is written again, and then one row for all,
 * each once the one before is stored: what no event that comes after all four can undercut.
 */
export function rawPublications(uri: string, edits: number, body: string): Contender {
  return {
    name: 'four raw writes, one after another',
    run: () =>
      withRows(uri, async (collection, log) => {
        await collection.insertMany(rows(0, 2, body));
        const write = (_id: string, revision: number) =>
          collection.updateOne({ _id }, { $set: { revision, body: `${body}${revision}` } });
        const latencies: number[] = [];
        const startedAt = performance.now();
        for (let edit = 0; edit < edits; edit += 1) {
          const sentAt = performance.now();
          await write('raw/0', 2 * edit);
          await log.insertOne({ _id: `log/${edit}`, revision: edit, body });
          await write('raw/0', 2 * edit + 1);
          await write('raw/1', edit);
          latencies.push(performance.now() - sentAt);
        }
        return { operations: edits, seconds: (performance.now() - startedAt) / 1000, latencies };
      }),
  };
}

type Rows = ReturnType<typeof rowsOf>;

function rowsOf(connection: mongoose.Connection, name: string) {
  return connection.collection<RawRow>(name);
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

async function withRows<Result>(
  uri: string,
  work: (collection: Rows, log: Rows) => Promise<Result>,
): Promise<Result> {
  const connection = await mongoose
    .createConnection(uri, { dbName: `bench-raw-${process.pid}`, ...durable })
    .asPromise();
  try {
    return await work(rowsOf(connection, 'raw'), rowsOf(connection, 'log'));
  } finally {
    await connection.dropDatabase();
    await connection.close();
  }
}
