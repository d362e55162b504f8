import { nameOf } from '#contracts';
import type { CollectionKey } from '#contracts';

/** Bytes that are kept once, however many items and documents of a collection refer to them. */
export interface Content {
  readonly collection: CollectionKey;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly digest: string;
  /** In bytes. */
  readonly length: number;
  /** The media type with its parameters, as it was first said; absent if nobody said one. */
  readonly type?: string;
  readonly createdAt: Date;
  /** Since when nothing has been seen to refer to it; absent if something does, or nobody has looked. */
  readonly unreferencedSince?: Date;
}

/** The bytes of a content are missing, or not what they were: `problem` says which. */
export class ContentError extends Error {
  override readonly name = 'ContentError';
  constructor(
    readonly problem: 'missing' | 'damaged',
    collection: CollectionKey,
    readonly digest: string,
  ) {
    super(`The content ${digest} of the collection "${nameOf(collection)}" is ${problem}.`);
  }
}

/** Where bytes are kept, by collection and digest. Lists are in ascending order of digest. */
export interface ContentStore {
  /**
   * Stores a body as it arrives, in bounded memory; if the collection has these bytes already, they are
   * kept once and count as referred to (`touch`). What the body throws is thrown on, and nothing is kept
   * then.
   * @throws ContentError if bytes were removed again meanwhile (`removeIncomplete`), so that nothing is
   *   kept
   */
  write(
    collection: CollectionKey,
    body: AsyncIterable<Uint8Array>,
    details: { readonly type?: string; readonly at: Date },
  ): Promise<Content>;
  load(collection: CollectionKey, digests: readonly string[]): Promise<Map<string, Content>>;
  /** Those of these digests whose content is there. Reads no content. */
  stored(collection: CollectionKey, digests: readonly string[]): Promise<Set<string>>;
  /**
   * The bytes, or those of a range, in pieces as they are read.
   * @param range the first and the last byte, from 0, both included and within the content
   * @throws ContentError if there is no such content, or while reading if bytes are missing
   */
  read(
    collection: CollectionKey,
    digest: string,
    range?: { readonly first: number; readonly last: number },
  ): AsyncIterable<Uint8Array>;
  list(collection: CollectionKey, page: { after?: string; limit: number }): Promise<Content[]>;
  /** The collections that have contents, in no order; also those that were removed meanwhile. */
  collections(): Promise<CollectionKey[]>;
  /** Ends `unreferencedSince`: somebody is about to refer to these. Returns those that are there. */
  touch(collection: CollectionKey, digests: readonly string[]): Promise<Set<string>>;
  /** Says that nothing was seen to refer to these at this time; an earlier time stays. */
  markUnreferenced(collection: CollectionKey, digests: readonly string[], at: Date): Promise<void>;
  /** Removes each that is still unreferenced since before this time. Returns the digests that are gone. */
  removeUnreferenced(collection: CollectionKey, digests: readonly string[], before: Date): Promise<string[]>;
  /**
   * Removes a content whatever refers to it; for one whose bytes are damaged. Returns whether there was one.
   */
  remove(collection: CollectionKey, digest: string): Promise<boolean>;
  /**
   * Removes what is left of writes that were cut short before this time, in all collections. Returns how many
   * bytes that were.
   */
  removeIncomplete(before: Date): Promise<number>;
}
