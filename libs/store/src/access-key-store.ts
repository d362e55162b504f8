import type { Model } from 'mongoose';
import type { AccessKey, AccessKeyStore, SecretDigest } from '#core';
import type { AccessKeyDocument } from './access-key-document.ts';

/** The keys that were issued, in MongoDB. */
export class MongoAccessKeyStore implements AccessKeyStore {
  readonly #keys: Model<AccessKeyDocument>;

  constructor(keys: Model<AccessKeyDocument>) {
    this.#keys = keys;
  }

  async add({ id, ...key }: AccessKey): Promise<void> {
    await this.#keys.create({ _id: id, ...key });
  }

  async find(ids: readonly string[]): Promise<AccessKey[]> {
    const found = await this.#keys.find({ _id: { $in: [...ids] } }).lean<AccessKeyDocument[]>();
    return found.map(keyIn);
  }

  async list({ after, limit }: { readonly after?: string; readonly limit: number }): Promise<AccessKey[]> {
    const found = await this.#keys
      .find(after === undefined ? {} : { _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(limit)
      .lean<AccessKeyDocument[]>();
    return found.map(keyIn);
  }

  async replaceSecrets(
    { id, latest }: { readonly id: string; readonly latest: string | undefined },
    secrets: readonly SecretDigest[],
  ): Promise<AccessKey | undefined> {
    const found = await this.#keys
      .findOneAndUpdate(
        { _id: id, 'secrets.0.digest': latest ?? null },
        { $set: { secrets } },
        { returnDocument: 'after' },
      )
      .lean<AccessKeyDocument | null>();
    return found === null ? undefined : keyIn(found);
  }

  async touch(ids: readonly string[], at: Date): Promise<void> {
    await this.#keys.updateMany({ _id: { $in: [...ids] } }, { $max: { lastUsedAt: at } });
  }

  async remove(id: string): Promise<boolean> {
    const { deletedCount } = await this.#keys.deleteOne({ _id: id });
    return deletedCount > 0;
  }
}

function keyIn({ _id, ...key }: AccessKeyDocument): AccessKey {
  return { id: _id, ...key };
}
