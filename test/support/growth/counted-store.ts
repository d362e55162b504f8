import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import { createMemoryEventStream, sampleCollection } from '#in-memory';
import { collectionKey, itemId } from '#core';
import type { Collection, CollectionSettings } from '#core';
import { editItem } from '#items';
import { openStore } from '#store';
import type { OpenStore } from '#store';
import { payloadFromFields } from '#xml';
import { publishCollection } from '../../../apps/publisher/src/publish-collection.ts';
import { mongodbOperations } from '../mongodb-operations.ts';
import type { MongodbOperation } from '../mongodb-operations.ts';

const publicUrl = 'http://here.example';

/** What some work requested of MongoDB. */
export interface Cost {
  readonly operations: number;
  /** How many documents the server looked at. */
  readonly documents: number;
}

/**
 * A store with a MongoDB database of its own, whose operations can be counted, and a clock that stands still
 * until `pass`.
 */
export class CountedStore {
  time = new Date('2026-01-01T00:00:00Z');
  readonly clock = { now: (): Date => this.time, wait: () => Promise.resolve() };

  private constructor(
    readonly store: OpenStore,
    private readonly uri: URL,
  ) {}

  static async open(): Promise<CountedStore> {
    const uri = new URL(process.env['MONGODB_URI'] ?? '');
    uri.pathname = `/feedmesh-test-${randomBytes(8).toString('hex')}`;
    return new CountedStore(await openStore({ uri: uri.href }), uri);
  }

  async close(): Promise<void> {
    await this.store.close();
    const connection = await mongoose.createConnection(this.uri.href).asPromise();
    await connection.dropDatabase();
    await connection.close();
  }

  pass(seconds: number): void {
    this.time = new Date(this.time.getTime() + seconds * 1000);
  }

  async collect(name: string, settings: Partial<CollectionSettings> = {}): Promise<void> {
    await this.store.collections.create(
      sampleCollection({
        key: collectionKey(name),
        createdAt: this.time,
        settings: { expiresAfter: 3600, ...settings },
      }),
    );
  }

  async found(name: string): Promise<Collection> {
    const collection = await this.store.collections.find(collectionKey(name));
    if (collection === undefined) throw new Error(`there is no collection ${name}`);
    return collection;
  }

  /** Edits an item that is titled after its id. */
  async edit(name: string, id: string, action: 'create' | 'update' | 'delete' | 'undelete'): Promise<void> {
    const payload = payloadFromFields('atom', { title: id });
    await editItem(
      { store: this.store, now: () => this.time, publicUrl },
      await this.found(name),
      itemId(id),
      action === 'create' ? { action, id: itemId(id), payload } : { action, payload },
    );
  }

  async publish(name: string): Promise<void> {
    await publishCollection(
      {
        store: this.store,
        stream: createMemoryEventStream(),
        clock: this.clock,
        publicUrl,
      },
      { block: 500, retention: 100_000 },
      { version: 1, collection: collectionKey(name) },
    );
  }

  operations(work: () => Promise<unknown>): Promise<MongodbOperation[]> {
    return mongodbOperations(this.uri.href, this.uri.pathname.slice(1), work);
  }

  async cost(work: () => Promise<unknown>): Promise<Cost> {
    const operations = await this.operations(work);
    return {
      operations: operations.length,
      documents: operations.reduce((sum, { documents }) => sum + documents, 0),
    };
  }
}
