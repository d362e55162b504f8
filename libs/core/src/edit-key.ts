import type { CollectionKey } from '#contracts';

/** That a key which a sender has given to an edit stands for one request. */
export interface EditKey {
  readonly collection: CollectionKey;
  /** The digest of the key. */
  readonly key: string;
  /** The digest of the request. */
  readonly request: string;
  /** From when on the key may stand for another one. */
  readonly expiresAt: Date;
}

/** Which request each key stands for, collection by collection. */
export interface EditKeyStore {
  /**
   * Returns the request that a key stands for: the given one, unless it stands for another at this time. All
   * that reserve a key at the same time get the same one. A reserve is on a majority and in the journal when
   * this returns.
   */
  reserve(key: EditKey, now: Date): Promise<string>;
}
