import { createHash } from 'node:crypto';
import type { mongo } from 'mongoose';
import type { CollectionKey, HubStore, HubSubscription, SubscriptionId } from '#core';
import { isDuplicateKey } from './duplicate-key.ts';
import type { HubDocument } from './hub-document.ts';
import { keyOf, keysOf } from './key.ts';

const projection = { _id: 0 } as const;

/** Subscriptions at hubs in MongoDB. */
export class MongoHubStore implements HubStore {
  readonly #rows: mongo.Collection<HubDocument>;

  constructor(rows: mongo.Collection<HubDocument>) {
    this.#rows = rows;
  }

  async add(added: HubSubscription): Promise<void> {
    try {
      await this.#rows.updateOne({ _id: rowKey(added) }, { $setOnInsert: added }, { upsert: true });
    } catch (error) {
      // Somebody else has added it at the same time.
      if (!isDuplicateKey(error)) throw error;
    }
  }

  async find(token: string): Promise<HubSubscription | undefined> {
    return (await this.#rows.findOne({ token }, { projection })) ?? undefined;
  }

  async takeDue(now: Date, until: Date): Promise<HubSubscription | undefined> {
    const taken = await this.#rows.findOneAndUpdate(
      { nextAt: { $lte: now } },
      { $set: { nextAt: until }, $inc: { revision: 1 } },
      { sort: { nextAt: 1 }, returnDocument: 'after', projection },
    );
    return taken ?? undefined;
  }

  async replace(former: HubSubscription, latter: HubSubscription): Promise<boolean> {
    const { matchedCount } = await this.#rows.replaceOne(versionOf(former), {
      ...latter,
      revision: former.revision + 1,
    });
    return matchedCount === 1;
  }

  async remove(former: HubSubscription): Promise<boolean> {
    return (await this.#rows.deleteOne(versionOf(former))).deletedCount === 1;
  }

  async wake(collection: CollectionKey, subscription: SubscriptionId | undefined, now: Date): Promise<void> {
    const key = subscription === undefined ? undefined : keyOf(collection, subscription);
    // '0' is the character after '/'.
    const range = key === undefined ? keysOf(collection) : { $gt: `${key}/`, $lt: `${key}0` };
    await this.#rows.updateMany(
      { _id: range, nextAt: { $gt: now } },
      { $set: { nextAt: now }, $inc: { revision: 1 } },
    );
  }

  async wakeOthers(callbacks: string | undefined, now: Date): Promise<void> {
    // Each callback is these and its token.
    const isOther =
      callbacks === undefined ? {} : { $expr: { $ne: ['$callback', { $concat: [callbacks, '$token'] }] } };
    await this.#rows.updateMany(
      { ...isOther, pending: { $ne: 'unsubscribe' } },
      { $set: { nextAt: now }, $inc: { revision: 1 } },
    );
  }
}

function rowKey({ collection, subscription, hub, topic }: HubSubscription): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([hub, topic]))
    .digest('base64url');
  return `${keyOf(collection, subscription)}/${digest}`;
}

function versionOf(former: HubSubscription): { _id: string; token: string; revision: number } {
  return { _id: rowKey(former), token: former.token, revision: former.revision };
}
