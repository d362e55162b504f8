import type { Model } from 'mongoose';
import { reportedViolations } from '#core';
import type { BatchReport, CollectionKey, Manifest, ManifestSeal, ManifestStore } from '#core';
import { keyOf } from './key.ts';
import type { ManifestDocument } from './manifest-document.ts';

const withoutKey = { _id: 0 } as const;
const changed = { returnDocument: 'after', projection: withoutKey } as const;

/** Manifests in MongoDB. */
export class MongoManifestStore implements ManifestStore {
  readonly #manifests: Model<ManifestDocument>;

  constructor(manifests: Model<ManifestDocument>) {
    this.#manifests = manifests;
  }

  async open(manifest: Manifest): Promise<void> {
    await this.#manifests.updateOne(
      { _id: keyOf(manifest.collection, manifest.id) },
      { $setOnInsert: manifest },
      { upsert: true },
    );
  }

  async seal(
    collection: CollectionKey,
    id: string,
    seal: ManifestSeal,
    now: Date,
  ): Promise<Manifest | undefined> {
    const change = { $set: { seal }, $max: { touchedAt: now } };
    return (
      (await this.#manifests
        .findOneAndUpdate({ _id: keyOf(collection, id) }, change, changed)
        .lean<Manifest>()) ?? undefined
    );
  }

  async done(
    collection: CollectionKey,
    id: string,
    batch: number,
    { rejected, plain = 0, violations = [], exceeded }: BatchReport,
    now: Date,
  ): Promise<Manifest | undefined> {
    const _id = keyOf(collection, id);
    const added = {
      done: batch,
      ...(violations.length > 0 && { violations: { $each: violations, $slice: reportedViolations } }),
    };
    const first = await this.#manifests
      .findOneAndUpdate(
        { _id, done: { $ne: batch } },
        {
          $push: added,
          $inc: { rejected, ...(plain > 0 && { plain }) },
          $max: { touchedAt: now },
          ...(exceeded !== undefined && { $set: { exceeded } }),
        },
        changed,
      )
      .lean<Manifest>();
    return first ?? this.find(collection, id);
  }

  async find(collection: CollectionKey, id: string): Promise<Manifest | undefined> {
    return (await this.#manifests.findById(keyOf(collection, id), withoutKey).lean<Manifest>()) ?? undefined;
  }

  async touch(collection: CollectionKey, id: string, now: Date): Promise<void> {
    await this.#manifests.updateOne({ _id: keyOf(collection, id) }, { $max: { touchedAt: now } });
  }

  async remove(collection: CollectionKey, id: string): Promise<void> {
    await this.#manifests.deleteOne({ _id: keyOf(collection, id) });
  }

  async unfinished(quietSince: Date, limit: number): Promise<Manifest[]> {
    const whole = { $expr: { $eq: [{ $size: '$done' }, '$seal.batches'] } };
    return this.#manifests
      .find({ $or: [{ touchedAt: { $lt: quietSince } }, whole] }, withoutKey)
      .sort({ touchedAt: 1 })
      .limit(limit)
      .lean<Manifest[]>();
  }
}
