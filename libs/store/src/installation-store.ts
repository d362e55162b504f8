import type { Model } from 'mongoose';
import type { InstallationStore } from '#core';
import { isDuplicateKey } from './duplicate-key.ts';
import type { InstallationDocument } from './installation-document.ts';

const key = { _id: 'installation' };

/** The installation's identifier in MongoDB. */
export class MongoInstallationStore implements InstallationStore {
  readonly #installations: Model<InstallationDocument>;

  constructor(installations: Model<InstallationDocument>) {
    this.#installations = installations;
  }

  async identifier(candidate: string): Promise<string> {
    try {
      return await this.#stored(candidate);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      // Another service inserted it at the same time, so now it is there.
      return this.#stored(candidate);
    }
  }

  async renew(identifier: string): Promise<void> {
    await this.#installations.updateOne(key, { $set: { identifier } }, { upsert: true });
  }

  async #stored(candidate: string): Promise<string> {
    const { identifier } = await this.#installations
      .findOneAndUpdate(
        key,
        { $setOnInsert: { identifier: candidate } },
        { upsert: true, returnDocument: 'after' },
      )
      .orFail()
      .lean<InstallationDocument>();
    return identifier;
  }
}
