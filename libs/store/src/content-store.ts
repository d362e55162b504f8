import { createHash, randomUUID } from 'node:crypto';
import type { mongo } from 'mongoose';
import { ContentError } from '#core';
import type { CollectionKey, Content, ContentStore } from '#core';
import { chunksOf } from './chunk.ts';
import { inChunks } from './content-chunk.ts';
import type { ContentChunk } from './content-chunk.ts';
import { toContent, withDigests } from './content-file.ts';
import type { ContentFile } from './content-file.ts';
import { removeLeftovers } from './content-leftovers.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import { collectionsAfter, keyOf } from './key.ts';
import { isOutage } from './outage.ts';
import type { UsageCounter } from './usage-counter.ts';

/**
 * In bytes, as every GridFS has it: a little less than a power of two, so that a chunk and its key fit into
 * one.
 */
const chunkSize = 255 * 1024;

/** How many chunks a reader gets at once. One that reads slowly holds them for as long as it takes. */
const readChunks = 1;

/**
 * Contents in MongoDB, in the layout of GridFS. Written and read without the driver's streams: its writer
 * adds the file whatever its digest is; its reader takes missing bytes at the end for the end, and leaves its
 * cursor open if it is stopped.
 */
export class MongoContentStore implements ContentStore {
  readonly #files: mongo.Collection<ContentFile>;
  readonly #chunks: mongo.Collection<ContentChunk>;
  readonly #usage: UsageCounter;

  constructor(
    files: mongo.Collection<ContentFile>,
    chunks: mongo.Collection<ContentChunk>,
    usage: UsageCounter,
  ) {
    this.#files = files;
    this.#chunks = chunks;
    this.#usage = usage;
  }

  async write(
    collection: CollectionKey,
    body: AsyncIterable<Uint8Array>,
    { type, at }: { readonly type?: string; readonly at: Date },
  ): Promise<Content> {
    const _id = keyOf(collection, `${at.toISOString()}/${randomUUID()}`);
    const hash = createHash('sha256');
    let length = 0;
    let n = 0;
    try {
      for await (const data of inChunks(body, chunkSize)) {
        hash.update(data);
        await this.#chunks.insertOne({ _id: `${_id}/${n}`, files_id: _id, n, data });
        length += data.length;
        n += 1;
      }
    } catch (error) {
      // If MongoDB is away, `removeIncomplete` does it later.
      if (!isOutage(error)) await this.#chunks.deleteMany({ files_id: _id }).catch(() => {});
      throw error;
    }
    return this.#add({
      _id,
      length,
      chunkSize,
      uploadDate: at,
      metadata: { collection, digest: hash.digest('hex'), ...(type !== undefined && { type }) },
    });
  }

  /**
   * Adds a file whose chunks are there, or touches the one that has the same bytes. An unknown outcome leaves
   * the chunks: the file may be there. Throws `ContentError` if `removeIncomplete` has taken chunks of it
   * meanwhile, as those of a writer whose clock is far behind.
   */
  async #add(file: ContentFile): Promise<Content> {
    const { collection, digest, type } = file.metadata;
    for (;;) {
      try {
        await this.#files.insertOne(file);
        // The one chunk of a small file has only just been written.
        if (file.length > chunkSize) await this.#checkChunks(file);
        this.#usage.add(collection, { files: 1, bytes: file.length });
        return toContent(file);
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const same = await this.#files.findOneAndUpdate(
        withDigests(collection, [digest]),
        [
          ...(type === undefined
            ? []
            : [{ $set: { 'metadata.type': { $ifNull: ['$metadata.type', { $literal: type }] } } }]),
          { $unset: 'metadata.unreferencedSince' },
        ],
        { returnDocument: 'after' },
      );
      // Without one it has been removed since, and this file may take its place.
      if (same) {
        await this.#chunks.deleteMany({ files_id: file._id });
        return toContent(same);
      }
    }
  }

  async #checkChunks({ _id, length, metadata }: ContentFile): Promise<void> {
    if ((await this.#chunks.countDocuments({ files_id: _id })) === Math.ceil(length / chunkSize)) return;
    await this.#files.deleteOne({ _id });
    await this.#chunks.deleteMany({ files_id: _id });
    throw new ContentError('damaged', metadata.collection, metadata.digest);
  }

  async load(collection: CollectionKey, digests: readonly string[]): Promise<Map<string, Content>> {
    const loaded = new Map<string, Content>();
    for (const some of chunksOf(digests)) {
      const files = await this.#files
        .find(withDigests(collection, some), { batchSize: some.length + 1 })
        .toArray();
      for (const file of files) loaded.set(file.metadata.digest, toContent(file));
    }
    return loaded;
  }

  async stored(collection: CollectionKey, digests: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>();
    for (const some of chunksOf(digests)) {
      // By the index alone.
      const files = await this.#files
        .find(withDigests(collection, some), { batchSize: some.length + 1 })
        .project<{ metadata: Pick<ContentFile['metadata'], 'digest'> }>({ _id: 0, 'metadata.digest': 1 })
        .toArray();
      for (const { metadata } of files) found.add(metadata.digest);
    }
    return found;
  }

  async *read(
    collection: CollectionKey,
    digest: string,
    range?: { readonly first: number; readonly last: number },
  ): AsyncGenerator<Uint8Array> {
    const file = await this.#files.findOne(withDigests(collection, [digest]));
    if (!file) throw new ContentError('missing', collection, digest);
    const end = Math.min(range?.last ?? file.length, file.length - 1) + 1;
    let position = range?.first ?? 0;
    const chunks = this.#chunks.find(
      {
        files_id: file._id,
        n: { $gte: Math.floor(position / file.chunkSize), $lt: Math.ceil(end / file.chunkSize) },
      },
      { sort: { n: 1 }, batchSize: readChunks, promoteBuffers: true },
    );
    for await (const { n, data } of chunks) {
      const start = n * file.chunkSize;
      if (start > position) break;
      const bytes = data.subarray(position - start, end - start);
      position += bytes.length;
      yield bytes;
    }
    if (position >= end) return;
    // Its chunks go after the file: a reader may see a content end that is being removed.
    const isThere = (await this.#files.countDocuments({ _id: file._id }, { limit: 1 })) === 1;
    throw new ContentError(isThere ? 'damaged' : 'missing', collection, digest);
  }

  async list(collection: CollectionKey, page: { after?: string; limit: number }): Promise<Content[]> {
    const filter = { 'metadata.collection': collection, 'metadata.digest': { $gt: page.after ?? '' } };
    const files = await this.#files
      .find(filter, { sort: { 'metadata.digest': 1 }, limit: page.limit })
      .toArray();
    return files.map(toContent);
  }

  async collections(): Promise<CollectionKey[]> {
    // The bound lets the index answer, one step a collection.
    return this.#files.distinct('metadata.collection', { 'metadata.collection': collectionsAfter() });
  }

  async touch(collection: CollectionKey, digests: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>();
    for (const some of chunksOf(digests)) {
      await this.#files.updateMany(withDigests(collection, some), {
        $unset: { 'metadata.unreferencedSince': '' },
      });
      for (const digest of await this.#files.distinct('metadata.digest', withDigests(collection, some)))
        found.add(digest);
    }
    return found;
  }

  async markUnreferenced(collection: CollectionKey, digests: readonly string[], at: Date): Promise<void> {
    for (const some of chunksOf(digests))
      await this.#files.updateMany(withDigests(collection, some), {
        $min: { 'metadata.unreferencedSince': at },
      });
  }

  async removeUnreferenced(
    collection: CollectionKey,
    digests: readonly string[],
    before: Date,
  ): Promise<string[]> {
    const removed: string[] = [];
    for (const some of chunksOf(digests)) {
      const found = await this.#files
        .find({ ...withDigests(collection, some), 'metadata.unreferencedSince': { $lt: before } })
        .toArray();
      const ids = found.map(({ _id }) => _id);
      // Asked again as each one goes: it may have been touched meanwhile.
      await this.#files.deleteMany({ _id: { $in: ids }, 'metadata.unreferencedSince': { $lt: before } });
      const kept = new Set(await this.#files.distinct('_id', { _id: { $in: ids } }));
      const gone = found.filter(({ _id }) => !kept.has(_id));
      await this.#chunks.deleteMany({ files_id: { $in: gone.map(({ _id }) => _id) } });
      for (const { length } of gone) this.#usage.add(collection, { files: -1, bytes: -length });
      removed.push(...gone.map(({ metadata }) => metadata.digest));
    }
    return removed;
  }

  async remove(collection: CollectionKey, digest: string): Promise<boolean> {
    const file = await this.#files.findOneAndDelete(withDigests(collection, [digest]));
    if (!file) return false;
    this.#usage.add(collection, { files: -1, bytes: -file.length });
    await this.#chunks.deleteMany({ files_id: file._id });
    return true;
  }

  async removeIncomplete(before: Date): Promise<number> {
    return removeLeftovers(this.#files, this.#chunks, before);
  }
}
