import type { AccessKey, AccessKeyStore, SecretDigest } from '#core';

/** The keys that were issued, in memory. */
export class MemoryAccessKeyStore implements AccessKeyStore {
  readonly #keys = new Map<string, AccessKey>();

  async add(key: AccessKey): Promise<void> {
    if (this.#keys.has(key.id)) throw new Error(`there is a key ${key.id}`);
    this.#keys.set(key.id, key);
  }

  async find(ids: readonly string[]): Promise<AccessKey[]> {
    return [...new Set(ids)].flatMap((id) => this.#keys.get(id) ?? []);
  }

  async list({
    after = '',
    limit,
  }: {
    readonly after?: string;
    readonly limit: number;
  }): Promise<AccessKey[]> {
    return [...this.#keys.values()]
      .filter(({ id }) => id > after)
      .toSorted((left, right) => (left.id < right.id ? -1 : 1))
      .slice(0, limit);
  }

  async replaceSecrets(
    { id, latest }: { readonly id: string; readonly latest: string | undefined },
    secrets: readonly SecretDigest[],
  ): Promise<AccessKey | undefined> {
    const key = this.#keys.get(id);
    if (key === undefined || key.secrets[0]?.digest !== latest) return undefined;
    const replaced = { ...key, secrets };
    this.#keys.set(id, replaced);
    return replaced;
  }

  async touch(ids: readonly string[], at: Date): Promise<void> {
    for (const key of await this.find(ids))
      if (key.lastUsedAt === undefined || key.lastUsedAt < at)
        this.#keys.set(key.id, { ...key, lastUsedAt: at });
  }

  async remove(id: string): Promise<boolean> {
    return this.#keys.delete(id);
  }
}
