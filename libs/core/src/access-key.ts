import type { Grant } from '#contracts';

/** The digest of a secret, and until when that secret is accepted; without an end as long as its key. */
export interface SecretDigest {
  readonly digest: string;
  readonly until?: Date;
}

/** A key of the HTTP interface and of commands, without its secret, which is nowhere kept. */
export interface AccessKey {
  readonly id: string;
  /** What people call it. */
  readonly name: string;
  readonly grants: readonly Grant[];
  /** The subject of a client certificate that stands for it, which has no secret then. */
  readonly subject?: string;
  /** Of its secrets: the latest first, before it those that were rotated. */
  readonly secrets: readonly SecretDigest[];
  readonly createdAt: Date;
  readonly expiresAt?: Date;
  /** About when it was last used; see `touch`. */
  readonly lastUsedAt?: Date;
}

/** The keys that were issued. */
export interface AccessKeyStore {
  /** Adds a key; its id is new. */
  add(key: AccessKey): Promise<void>;
  /** Those of these keys that exist, in any order. */
  find(ids: readonly string[]): Promise<AccessKey[]>;
  /** By id, after a place in the list. */
  list(page: { readonly after?: string; readonly limit: number }): Promise<AccessKey[]>;
  /**
   * Replaces the secrets of a key whose latest one has this digest; returns it as it is then, undefined if
   * there is none.
   */
  replaceSecrets(
    key: { readonly id: string; readonly latest: string | undefined },
    secrets: readonly SecretDigest[],
  ): Promise<AccessKey | undefined>;
  /** Records that keys were used, each unless a later use is recorded. */
  touch(ids: readonly string[], at: Date): Promise<void>;
  /** Returns whether it existed. */
  remove(id: string): Promise<boolean>;
}
