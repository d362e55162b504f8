import { afterEach, beforeEach, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { collectionKey } from '#core';
import { openStore } from '#store';
import type { OpenStore } from '#store';
import { publishBlock } from '../../support/published-blocks.ts';
import { until } from '../../support/until.ts';
import { mongodbUri, ownDatabase } from './mongodb.ts';
import { block, collection } from './samples.ts';

const key = collectionKey('tasks');

let client: mongoose.mongo.MongoClient;
let database: string;
let store: OpenStore;

beforeEach(async () => {
  database = ownDatabase();
  client = await new mongoose.mongo.MongoClient(mongodbUri(), { appName: 'feedmesh' }).connect();
  store = await openStore({ uri: mongodbUri(), database });
  await store.collections.create(collection(key));
});
afterEach(async () => {
  await store.close();
  await client.db(database).dropDatabase();
  await client.close();
});

test('a collection that a killed process has locked is published once its transaction is ended', async () => {
  const session = client.startSession();
  try {
    session.startTransaction();
    await client
      .db(database)
      .collection<{ _id: string }>('collections')
      .updateOne({ _id: key }, { $set: { 'publication.sequence': 5 } }, { session });
    await store.endStalledTransactions();
    expect(await publishBlock(store, block(key, 1, 1))).toBe(false);
    await until(async () => {
      await store.endStalledTransactions();
      return publishBlock(store, block(key, 1, 1));
    });
    await expect(session.commitTransaction()).rejects.toThrow('has been aborted');
    expect((await store.collections.find(key))?.publication.sequence).toBe(1);
  } finally {
    await session.endSession();
  }
});
