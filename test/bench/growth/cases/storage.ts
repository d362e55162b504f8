import mongoose from 'mongoose';
import { collectionKey, itemId, subscriptionId } from '#core';
import { editItem } from '#items';
import { payloadFromFields } from '#xml';
import { sampleCollection } from '#in-memory';
import { sampleEntry, sampleFeed } from '../../feedmesh/sample-feed.ts';
import type { GrowthCase } from '../growth-case.ts';
import { subscriptionTo, untilFetched } from '../subscriptions.ts';
import { withServices } from '../under-test.ts';

/** What an item takes in a database, in bytes. */
interface StoredItemSize {
  /** Its row as BSON. */
  readonly row: number;
  /** Its share of the file of the rows, and of those of their indexes, after a checkpoint. */
  readonly disk: number;
  readonly indexes: number;
}

/** What the items of a database take, each in the mean. */
async function meanSize(uri: string): Promise<StoredItemSize> {
  const connection = await mongoose.createConnection(uri).asPromise();
  try {
    const items = connection.collection('items');
    const mean = { $group: { _id: null, row: { $avg: { $bsonSize: '$$ROOT' } } } };
    const [found] = await items.aggregate<{ row: number }>([mean]).toArray();
    // A checkpoint, so that the files hold what was written, compressed.
    await connection.getClient().db('admin').command({ fsync: 1 });
    const [stored] = await items.aggregate<StorageStats>([{ $collStats: { storageStats: {} } }]).toArray();
    if (found === undefined || stored === undefined) throw new Error('there are no items');
    const { count, storageSize, totalIndexSize } = stored.storageStats;
    return { row: found.row, disk: storageSize / count, indexes: totalIndexSize / count };
  } finally {
    await connection.close();
  }
}

/** What `$collStats` says of the files of a collection, in bytes. */
interface StorageStats {
  readonly storageStats: {
    /** Rows. */
    readonly count: number;
    readonly storageSize: number;
    readonly totalIndexSize: number;
  };
}

/** What is counted of what is stored. */
export const storageCases: readonly GrowthCase[] = [
  {
    name: 'an item of 0.9 KB of XML, stored',
    unit: 'items',
    sizes: [1000, 10_000],
    count: (items) =>
      withServices(async (services) => {
        const [collection, source] = [collectionKey('stored'), subscriptionId('source')];
        const entries = Array.from({ length: items }, (_, index) => sampleEntry(index, 'stored', 2));
        services.feeds.serve('/feed', [...sampleFeed(items, 'stored')].join(''));
        await services.collect(collection);
        await services.start('fetcher', 'merger', 'publisher');
        await services.store.subscriptions.put(
          subscriptionTo(collection, source, services.feeds.url('/feed')),
        );
        await untilFetched(services, collection, 1);
        await services.published(collection);
        const xml = entries.reduce((sum, entry) => sum + Buffer.byteLength(entry), 0) / items;
        const { row, disk, indexes } = await meanSize(services.environment['MONGODB_URI'] ?? '');
        return {
          'bytes of XML': xml,
          'bytes of BSON': row,
          'times the XML as BSON': row / xml,
          'bytes on disk': disk,
          'times the XML on disk': disk / xml,
          'bytes of indexes on disk': indexes,
        };
      }),
  },
  {
    name: 'an item after many edits, stored',
    unit: 'edits',
    sizes: [100, 5000],
    count: (edits) =>
      withServices(async (services) => {
        const { store, environment } = services;
        const [key, id] = [collectionKey('edited'), itemId('one')];
        // As many entries of history as in a new collection.
        await store.collections.create(
          sampleCollection({
            key,
            title: 'Edited',
            createdAt: new Date(),
            settings: { expiresAfter: 86_400, historyLimit: 50 },
          }),
        );
        const collection = await store.collections.find(key);
        if (collection === undefined) throw new Error('there is no collection');
        const ports = { store, now: () => new Date(), publicUrl: 'http://here.example' };
        for (let edit = 0; edit <= edits; edit += 1) {
          const payload = payloadFromFields('atom', { title: `Edit ${edit}` });
          await editItem(
            ports,
            collection,
            id,
            edit === 0 ? { action: 'create', id, payload } : { action: 'update', payload },
          );
        }
        const { row } = await meanSize(environment['MONGODB_URI'] ?? '');
        return { 'bytes of BSON': row };
      }),
  },
];
