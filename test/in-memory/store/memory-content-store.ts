import { createHash } from 'node:crypto';
import { ContentError } from '#core';
import type { CollectionKey, Content, ContentStore } from '#core';
import type { Records } from './records.ts';
import { follows } from './records.ts';

/** A content with its bytes; `id` is its digest. */
export interface KeptContent extends Content {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** Contents in memory. */
export class MemoryContentStore implements ContentStore {
  readonly #contents: Records<KeptContent>;

  constructor(contents: Records<KeptContent>) {
    this.#contents = contents;
  }

  async write(
    collection: CollectionKey,
    body: AsyncIterable<Uint8Array>,
    { type, at }: { readonly type?: string; readonly at: Date },
  ): Promise<Content> {
    const pieces: Uint8Array[] = [];
    for await (const piece of body) pieces.push(Uint8Array.from(piece));
    const bytes = new Uint8Array(Buffer.concat(pieces));
    const digest = createHash('sha256').update(bytes).digest('hex');
    const known = this.#contents.get(collection, digest) ?? {
      collection,
      id: digest,
      digest,
      length: bytes.length,
      bytes,
      createdAt: at,
    };
    const kept = { ...referred(known), ...(known.type === undefined && type !== undefined && { type }) };
    this.#contents.set(kept);
    return toContent(kept);
  }

  async load(collection: CollectionKey, digests: readonly string[]): Promise<Map<string, Content>> {
    return new Map(this.#found(collection, digests).map((content) => [content.digest, toContent(content)]));
  }

  async stored(collection: CollectionKey, digests: readonly string[]): Promise<Set<string>> {
    return new Set((await this.load(collection, digests)).keys());
  }

  async *read(
    collection: CollectionKey,
    digest: string,
    range?: { readonly first: number; readonly last: number },
  ): AsyncGenerator<Uint8Array> {
    const content = this.#contents.get(collection, digest);
    if (!content) throw new ContentError('missing', collection, digest);
    const bytes = range ? content.bytes.subarray(range.first, range.last + 1) : content.bytes;
    if (bytes.length > 0) yield bytes;
  }

  async list(
    collection: CollectionKey,
    { after, limit }: { after?: string; limit: number },
  ): Promise<Content[]> {
    return this.#contents
      .select({
        where: (content) => content.collection === collection && follows(content.digest, after),
        limit,
      })
      .map(toContent);
  }

  async collections(): Promise<CollectionKey[]> {
    return this.#contents.collections();
  }

  async touch(collection: CollectionKey, digests: readonly string[]): Promise<Set<string>> {
    const found = this.#found(collection, digests);
    for (const content of found) this.#contents.set(referred(content));
    return new Set(found.map(({ digest }) => digest));
  }

  async markUnreferenced(collection: CollectionKey, digests: readonly string[], at: Date): Promise<void> {
    for (const content of this.#found(collection, digests)) {
      const { unreferencedSince = at } = content;
      this.#contents.set({ ...content, unreferencedSince: unreferencedSince < at ? unreferencedSince : at });
    }
  }

  async removeUnreferenced(
    collection: CollectionKey,
    digests: readonly string[],
    before: Date,
  ): Promise<string[]> {
    const gone = this.#found(collection, digests).filter(
      ({ unreferencedSince }) => unreferencedSince !== undefined && unreferencedSince < before,
    );
    for (const { id } of gone) this.#contents.delete(collection, id);
    return gone.map(({ digest }) => digest);
  }

  async remove(collection: CollectionKey, digest: string): Promise<boolean> {
    return this.#contents.delete(collection, digest);
  }

  /** Nothing: a write is kept in one step. */
  async removeIncomplete(): Promise<number> {
    return 0;
  }

  #found(collection: CollectionKey, digests: readonly string[]): KeptContent[] {
    return [...new Set(digests)].flatMap((digest) => this.#contents.get(collection, digest) ?? []);
  }
}

function referred({ unreferencedSince: _ended, ...content }: KeptContent): KeptContent {
  return content;
}

function toContent({ id: _id, bytes: _bytes, ...content }: KeptContent): Content {
  return content;
}
