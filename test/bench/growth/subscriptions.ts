import mongoose from 'mongoose';
import type { CollectionKey, Subscription, SubscriptionId } from '#core';
import { sampleSubscription } from '#in-memory';
import type { PipelineUnderTest } from '../../medium/pipeline/pipeline-under-test.ts';
import type { MongodbOperation } from '../../support/mongodb-operations.ts';
import { until } from '../feedmesh/until.ts';

/** A field that no row has. Our own looks request it, so that they are not counted. */
const look = 'benchLook';

/** A subscription that is due now, and then not for a day. */
export function subscriptionTo(collection: CollectionKey, id: SubscriptionId, url: string): Subscription {
  const now = new Date();
  return sampleSubscription({
    collection,
    id,
    url,
    interval: { minimum: 86_400, maximum: 86_400 },
    createdAt: now,
  });
}

/** Waits until so many subscriptions of a collection have been fetched since a moment, from begin to end. */
export async function untilFetched(
  { environment }: PipelineUnderTest,
  collection: string,
  count: number,
  since = new Date(0),
): Promise<void> {
  const connection = await mongoose.createConnection(environment['MONGODB_URI'] ?? '').asPromise();
  const fetched = { collection, 'last.at': { $gt: since }, manifest: { $exists: false } };
  const rows = connection.collection('subscriptions');
  try {
    await until(
      `${count} subscriptions are fetched`,
      async () =>
        (await rows.find(fetched, { projection: { [look]: 1 }, batchSize: 100_000 }).toArray()).length ===
        count,
    );
  } finally {
    await connection.close();
  }
}

/** The operations that are not those of `untilFetched`. */
export function withoutLooks(operations: readonly MongodbOperation[]): MongodbOperation[] {
  return operations.filter(({ fields }) => fields[0] !== look);
}
