import type { EditKey, EditKeyStore } from '#core';
import type { Records } from './records.ts';

/** The keys of edits in memory. */
export class MemoryEditKeyStore implements EditKeyStore {
  readonly #keys: Records<EditKeyRecord>;

  constructor(keys: Records<EditKeyRecord>) {
    this.#keys = keys;
  }

  async reserve(reserved: EditKey, now: Date): Promise<string> {
    const held = this.#keys.get(reserved.collection, reserved.key);
    if (held !== undefined && held.expiresAt > now) return held.request;
    this.#keys.set({ ...reserved, id: reserved.key });
    return reserved.request;
  }
}

export interface EditKeyRecord extends EditKey {
  readonly id: string;
}
