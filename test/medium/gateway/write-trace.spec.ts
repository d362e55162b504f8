import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Request, Response } from 'express';
import mongoose from 'mongoose';
import { collectionKey, UnavailableError } from '#core';
import { connectStore, openStore } from '#store';
import type { OpenStore } from '#store';
import { runAsWork } from '../../../apps/gateway/src/requests/write-trace.ts';

const uri = process.env['MONGODB_URI'] ?? '';
const database = `feedmesh-test-${randomBytes(8).toString('hex')}`;
let store: OpenStore;
let away: OpenStore;
beforeAll(async () => {
  store = await openStore({ uri, database });
  const connecting = connectStore({ uri: 'mongodb://127.0.0.1:1/?replicaSet=none', selectionTimeout: 50 });
  await connecting.attempted.catch(() => {});
  away = connecting.store;
});
afterAll(async () => {
  await Promise.all([store.close(), away.close()]);
  const client = await new mongoose.mongo.MongoClient(uri).connect();
  await client.db(database).dropDatabase();
  await client.close();
});

/** What a request says was stored that meets an outage after this work. */
async function storedAfter(work: () => Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const handle = async (): Promise<void> => {
      await work();
      await away.collections.find(collectionKey('news'));
    };
    const next = (): void =>
      void handle().catch((error: unknown) =>
        error instanceof UnavailableError ? resolve(error.stored) : reject(error as Error),
      );
    void runAsWork({ path: '/v1/', method: 'POST' } as Request, {} as Response, next);
  });
}

test('an outage after a write of the same request leaves the outcome unknown', async () => {
  expect(await storedAfter(() => store.collections.find(collectionKey('news')))).toBe('none');
  expect(await storedAfter(() => store.installation.renew('another'))).toBe('unknown');
});
