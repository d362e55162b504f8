import mongoose from 'mongoose';
import { collectionKey, itemId, subscriptionId } from '#core';
import { editItem } from '#items';
import { payloadFromFields } from '#xml';
import { sampleCollection } from '#in-memory';
import { sampleEntry, sampleFeed } from '../../feedmesh/sample-feed.ts';
import type { GrowthCase } from '../growth-case.ts';
import { subscriptionTo, untilFetched } from '../subscriptions.ts';
import { withServices } from '../under-test.ts';

/** The mean size of the rows of all items of a database, in bytes. */
async function meanRow(uri: string): Promise<number> {
  const connection = await mongoose.createConnection(uri).asPromise();
  try {
    const mean = { $group: { _id: null, bytes: { $avg: { $bsonSize: '$$ROOT' } } } };
    const [found] = await connection.collection('items').aggregate<{ bytes: number }>([mean]).toArray();
    if (found === undefined) throw new Error('there are no items');
    return found.bytes;
  } finally {
    await connection.close();
  }
}

/** What is counted of what is stored. */
export const storageCases: readonly GrowthCase[] = [
  {
    name: 'an item of 0.9 KB of XML, stored',
    unit: 'items',
    sizes: [100, 1000],
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
        const stored = await meanRow(services.environment['MONGODB_URI'] ?? '');
        return { 'bytes of XML': xml, 'bytes stored': stored, 'times the XML': stored / xml };
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
        return { 'bytes stored': await meanRow(environment['MONGODB_URI'] ?? '') };
      }),
  },
];
