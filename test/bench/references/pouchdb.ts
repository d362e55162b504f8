import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PouchDB from 'pouchdb-core';
import leveldb from 'pouchdb-adapter-leveldb';
import memory from 'pouchdb-adapter-memory';
import replication from 'pouchdb-replication';
import type { Contender, Sample } from '../row.ts';

PouchDB.plugin(memory).plugin(leveldb).plugin(replication);

/** Documents in one step of a replication. */
const batchSize = 1000;

type Adapter = 'memory' | 'leveldb';

/** Documents are replicated from one PouchDB to an empty one in the same process. */
export function firstReplication(adapter: Adapter, items: number, body: string): Contender {
  return {
    name: `PouchDB, ${adapter}`,
    run: () =>
      withPair(adapter, async (source, target) => {
        await source.bulkDocs(documents(items, body));
        return replicate(source, target, items);
      }),
  };
}

/** A pair in step of which some documents are changed, and replicated again, in each round. */
export async function secondReplication(
  adapter: Adapter,
  items: number,
  changed: number,
  body: string,
): Promise<Contender & { close(): Promise<void> }> {
  const { source, target, close } = await openPair(adapter);
  await source.bulkDocs(documents(items, body));
  await replicate(source, target, items);
  return {
    name: `PouchDB, ${adapter}`,
    close,
    run: async () => {
      const { rows } = await source.allDocs({ limit: changed, include_docs: true });
      await source.bulkDocs(
        rows.flatMap(({ doc }) => (doc ? [{ ...doc, body: `${String(doc.body)}.` }] : [])),
      );
      return replicate(source, target, changed);
    },
  };
}

async function replicate(source: PouchDB, target: PouchDB, expected: number): Promise<Sample> {
  const startedAt = performance.now();
  const { docs_written: written } = await PouchDB.replicate(source, target, { batch_size: batchSize });
  const seconds = (performance.now() - startedAt) / 1000;
  if (written !== expected) throw new Error(`PouchDB replicated ${written} of ${expected} documents`);
  return { operations: expected, seconds };
}

function documents(items: number, body: string): { _id: string; body: string }[] {
  return Array.from({ length: items }, (_, index) => ({ _id: `item-${index}`, body }));
}

async function withPair<Result>(
  adapter: Adapter,
  work: (source: PouchDB, target: PouchDB) => Promise<Result>,
): Promise<Result> {
  const { source, target, close } = await openPair(adapter);
  try {
    return await work(source, target);
  } finally {
    await close();
  }
}

async function openPair(adapter: Adapter) {
  const folder = mkdtempSync(join(tmpdir(), 'feedmesh-pouchdb-'));
  const [source, target] = ['source', 'target'].map((name) => new PouchDB(join(folder, name), { adapter }));
  if (!source || !target) throw new Error('PouchDB did not open');
  const close = async (): Promise<void> => {
    await source.destroy();
    await target.destroy();
    rmSync(folder, { recursive: true, force: true });
  };
  return { source, target, close };
}
