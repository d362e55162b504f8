import type { Model } from 'mongoose';
import type { EditKey, EditKeyStore } from '#core';
import { isDuplicateKey } from './duplicate-key.ts';
import type { EditKeyDocument } from './edit-key-document.ts';
import { keyOf } from './key.ts';

/** The keys of edits in MongoDB, which removes them some time after they have expired. */
export class MongoEditKeyStore implements EditKeyStore {
  readonly #keys: Model<EditKeyDocument>;

  constructor(keys: Model<EditKeyDocument>) {
    this.#keys = keys;
  }

  async reserve({ collection, key, request, expiresAt }: EditKey, now: Date): Promise<string> {
    const _id = keyOf(collection, key);
    for (;;) {
      try {
        const held = await this.#keys
          .findOneAndUpdate(
            { _id, expiresAt: { $gt: now } },
            { $setOnInsert: { request, expiresAt } },
            { upsert: true, returnDocument: 'after' },
          )
          .orFail()
          .lean<EditKeyDocument>();
        return held.request;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        // It has expired, or somebody else has inserted it at the same time.
        await this.#keys.deleteOne({ _id, expiresAt: { $lte: now } });
      }
    }
  }
}
