import mongoose from 'mongoose';
import { processorTimes, processorTimeSince } from '../processor-time.ts';
import type { Contender } from '../row.ts';

/** As many items at once as a merge job, and a block of the log, have. */
const [batchSize, blockSize] = [250, 500];
const writers = 4;

interface RawItem {
  readonly _id: string;
  readonly collection: string;
  readonly revision: number;
  readonly pending: boolean;
  readonly deleted: boolean;
  readonly sequence?: number;
  readonly body: string;
}

interface RawBlock {
  readonly _id: number;
  readonly events: readonly string[];
}

type Items = mongoose.mongo.Collection<RawItem>;

/** Majority and journal, as the services write. */
const durable = { w: 'majority', journal: true, readConcern: { level: 'majority' } } as const;

/**
 * What a first sync can't do without on MongoDB, by one program that does nothing else: items are inserted in
 * batches by four writers, then block after block is appended to a log and recorded on its items by one
 * update, with the three indexes that this touches. The processor time is MongoDB's and this program's.
 */
export function rawSync(uri: string, items: number, body: string): Contender {
  return {
    name: 'raw insert, log and one update a block',
    run: async () => {
      const connection = await mongoose
        .createConnection(uri, { dbName: `bench-raw-${process.pid}`, ...durable })
        .asPromise();
      try {
        const rows: Items = connection.collection<RawItem>('items');
        const log = connection.collection<RawBlock>('changes');
        await createIndexes(rows);
        const { pid = 0 } = (await connection.db?.admin().serverStatus()) ?? {};
        const processes = { mongod: Number(pid), writer: process.pid };
        const before = processorTimes(processes);
        const startedAt = performance.now();
        await insertAll(rows, items, body);
        for (let first = 0; first < items; first += blockSize)
          await publish(rows, log, first, Math.min(blockSize, items - first));
        const seconds = (performance.now() - startedAt) / 1000;
        return { operations: items, seconds, processorTime: processorTimeSince(before, processes) };
      } finally {
        await connection.dropDatabase();
        await connection.close();
      }
    },
  };
}

async function createIndexes(rows: Items): Promise<void> {
  const published = { sequence: { $exists: true } };
  await rows.createIndex({ collection: 1, pending: 1 }, { partialFilterExpression: { pending: true } });
  await rows.createIndex({ collection: 1, sequence: 1 }, { partialFilterExpression: published });
  await rows.createIndex(
    { collection: 1, sequence: -1 },
    { partialFilterExpression: { deleted: false, ...published } },
  );
}

async function insertAll(rows: Items, items: number, body: string): Promise<void> {
  const starts = Array.from({ length: Math.ceil(items / batchSize) }, (_, index) => index * batchSize);
  await Promise.all(
    Array.from({ length: writers }, async () => {
      for (let first = starts.pop(); first !== undefined; first = starts.pop())
        await rows.insertMany(
          keys(first, Math.min(batchSize, items - first)).map((_id) => ({
            _id,
            collection: 'raw',
            revision: 1,
            pending: true,
            deleted: false,
            body,
          })),
          { ordered: false },
        );
    }),
  );
}

async function publish(
  rows: Items,
  log: mongoose.mongo.Collection<RawBlock>,
  first: number,
  count: number,
): Promise<void> {
  const ids = keys(first, count);
  const event = (id: string): string => JSON.stringify({ id, text: 'e'.repeat(400) });
  await log.insertOne({ _id: first, events: ids.map(event) });
  const place = { $indexOfArray: [{ $literal: ids }, '$_id'] };
  await rows.updateMany({ _id: { $in: ids } }, [
    {
      $set: {
        sequence: { $add: [first, place] },
        publishedAt: new Date(),
        announced: { revision: 1, deleted: false, conflictCount: 0 },
        pending: { $gt: ['$revision', 1] },
      },
    },
  ]);
}

function keys(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `raw/${first + index}`);
}
