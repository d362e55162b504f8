import type { mongo } from 'mongoose';
import type {
  CachedCopy,
  CollectionKey,
  DocumentStore,
  DownloadOutcome,
  FoundDocument,
  TreeDocument,
} from '#core';
import { chunkLength, chunksOf } from './chunk.ts';
import { change, foundUpdate, outcomeUpdate, requestUpdate, withoutCopy } from './document-update.ts';
import { idOf, keyOf, keysOf } from './key.ts';
import { toTreeDocument } from './tree-document.ts';
import type { StoredTreeDocument } from './tree-document.ts';

/** The documents of mirrored trees in MongoDB, by the driver itself: a walk tells of all of them. */
export class MongoDocumentStore implements DocumentStore {
  readonly #documents: mongo.Collection<StoredTreeDocument>;

  constructor(documents: mongo.Collection<StoredTreeDocument>) {
    this.#documents = documents;
  }

  async load(collection: CollectionKey, urls: readonly string[]): Promise<Map<string, TreeDocument>> {
    const loaded = new Map<string, TreeDocument>();
    for (const keys of keysIn(collection, urls)) {
      const documents = await this.#documents
        .find({ _id: { $in: keys } }, { batchSize: keys.length + 1 })
        .toArray();
      for (const document of documents) loaded.set(idOf(document._id), toTreeDocument(document));
    }
    return loaded;
  }

  async list(collection: CollectionKey, page: { after?: string; limit: number }): Promise<TreeDocument[]> {
    const documents = await this.#documents
      .find({ _id: keysOf(collection, page.after) }, { sort: { _id: 1 }, limit: page.limit })
      .toArray();
    return documents.map(toTreeDocument);
  }

  async *all(collection: CollectionKey): AsyncGenerator<TreeDocument> {
    for (let last: string | undefined = ''; last !== undefined;) {
      // A negative limit: one answer without a cursor that stays open, cut off if it gets too large.
      const page: StoredTreeDocument[] = await this.#documents
        .find(
          { _id: keysOf(collection, last) },
          { sort: { _id: 1 }, limit: -chunkLength, batchSize: chunkLength },
        )
        .toArray();
      const documents = page.map(toTreeDocument);
      yield* documents;
      last = documents.at(-1)?.url;
    }
  }

  async record(
    collection: CollectionKey,
    url: string,
    outcome: DownloadOutcome,
    copy?: CachedCopy,
  ): Promise<void> {
    await this.#documents.updateOne(
      { _id: keyOf(collection, url) },
      outcomeUpdate(collection, outcome, copy),
      { upsert: true },
    );
  }

  async describe(collection: CollectionKey, found: readonly FoundDocument[]): Promise<void> {
    for (const chunk of chunksOf(found, ({ url }) => url.length)) {
      const operations = chunk.map((document) => ({
        updateOne: {
          filter: { _id: keyOf(collection, document.url) },
          update: foundUpdate(collection, document),
          upsert: true,
        },
      }));
      await this.#documents.bulkWrite(operations, { ordered: false });
    }
  }

  async request(collection: CollectionKey, url: string, isFeed: boolean): Promise<void> {
    await this.#documents.updateOne({ _id: keyOf(collection, url) }, requestUpdate(collection, isFeed), {
      upsert: true,
    });
  }

  async requested(collection: CollectionKey): Promise<string[]> {
    const requested = await this.#documents
      .find({ collection, isRequested: true })
      .project<Pick<StoredTreeDocument, '_id'>>({ _id: 1 })
      .toArray();
    return requested.map(({ _id }) => idOf(_id));
  }

  async endRequests(collection: CollectionKey, urls: readonly string[]): Promise<void> {
    for (const keys of keysIn(collection, urls))
      await this.#documents.updateMany({ _id: { $in: keys } }, { $set: { isRequested: false, ...change() } });
  }

  async forget(collection: CollectionKey, urls: readonly string[]): Promise<void> {
    for (const keys of keysIn(collection, urls))
      await this.#documents.updateMany({ _id: { $in: keys } }, withoutCopy());
  }

  async forgetDigests(collection: CollectionKey, digests: readonly string[]): Promise<string[]> {
    const forgotten = new Set<string>();
    for (const [chunk, digest] of digestsIn(digests)) {
      const damaged = { collection, [digest]: { $in: chunk } };
      for (;;) {
        const documents = await this.#documents
          .find(damaged, { limit: chunkLength })
          .project<Pick<StoredTreeDocument, '_id'>>({ _id: 1 })
          .toArray();
        if (documents.length === 0) break;
        // The digest once more: a document may have got another copy meanwhile.
        await this.#documents.updateMany(
          { ...damaged, _id: { $in: documents.map(({ _id }) => _id) } },
          withoutCopy(),
        );
        for (const { _id } of documents) forgotten.add(idOf(_id));
      }
    }
    return [...forgotten];
  }

  async markMerged(collection: CollectionKey, url: string, merged: string): Promise<void> {
    await this.#documents.updateOne({ _id: keyOf(collection, url) }, { $set: { merged, ...change() } });
  }

  async drop(collection: CollectionKey, manifest: string, urls: readonly string[]): Promise<void> {
    for (const keys of keysIn(collection, urls))
      await this.#documents.updateMany({ _id: { $in: keys } }, { $set: { dropped: manifest, ...change() } });
  }

  async dropped(collection: CollectionKey, manifest: string, limit: number): Promise<TreeDocument[]> {
    const documents = await this.#documents
      .find({ collection, dropped: manifest }, { sort: { _id: 1 }, limit })
      .toArray();
    return documents.map(toTreeDocument);
  }

  async remove(collection: CollectionKey, urls: readonly string[]): Promise<void> {
    for (const keys of keysIn(collection, urls)) await this.#documents.deleteMany({ _id: { $in: keys } });
  }

  async hasChanged(collection: CollectionKey): Promise<boolean> {
    const changed = { collection, changed: { $exists: true } };
    return (await this.#documents.findOne(changed, { projection: { _id: 1 } })) !== null;
  }

  async acknowledge(
    collection: CollectionKey,
    documents: readonly Pick<TreeDocument, 'url' | 'changed'>[],
  ): Promise<void> {
    const read = documents.filter(({ changed }) => changed !== undefined);
    for (const chunk of chunksOf(read, ({ url }) => url.length)) {
      const operations = chunk.map(({ url, changed = '' }) => ({
        updateOne: {
          filter: { _id: keyOf(collection, url), changed },
          update: { $unset: { changed: '' as const } },
        },
      }));
      await this.#documents.bulkWrite(operations, { ordered: false });
    }
  }

  async referring(collection: CollectionKey, digests: readonly string[]): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    for (const [chunk, digest] of digestsIn(digests)) {
      const counted = this.#documents.aggregate<{ _id: string; count: number }>([
        { $match: { collection, [digest]: { $in: chunk } } },
        { $group: { _id: `$${digest}`, count: { $sum: 1 } } },
      ]);
      for await (const { _id, count } of counted) counts.set(_id, (counts.get(_id) ?? 0) + count);
    }
    return counts;
  }
}

/** Digests, a command's worth at a time, for each field of a copy that names a content. */
function* digestsIn(digests: readonly string[]): Generator<readonly [readonly string[], string]> {
  for (const chunk of chunksOf(digests))
    for (const field of ['copy.digest', 'copy.parsed']) yield [chunk, field];
}

/** The keys of documents, a command's worth at a time. */
function* keysIn(collection: CollectionKey, urls: readonly string[]): Generator<readonly string[]> {
  for (const chunk of chunksOf(urls)) yield chunk.map((url) => keyOf(collection, url));
}
