import type { EditKey, EditKeyStore } from '#core';
import type { Records } from './records.ts';

/** The keys of edits in memory. */
export class MemoryEditKeyStore implements EditKeyStore {
  readonly #keys: Records<EditKeyRecord>;

  constructor(keys: Records<EditKeyRecord>) {
    this.#keys = keys;
  }

  async claim(claimed: EditKey, now: Date): Promise<string> {
    const held = this.#keys.get(claimed.collection, claimed.key);
    if (held !== undefined && held.expiresAt > now) return held.request;
    this.#keys.set({ ...claimed, id: claimed.key });
    return claimed.request;
  }
}

export interface EditKeyRecord extends EditKey {
  readonly id: string;
}
