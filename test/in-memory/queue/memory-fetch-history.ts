import { fetchRecord, rememberedFetches } from '#core';
import type { CollectionKey, Completion, FetchHistory, FetchRecord, SubscriptionId } from '#core';

/** The latest fetches in memory. */
export class MemoryFetchHistory implements FetchHistory {
  readonly #records = new Map<string, readonly FetchRecord[]>();

  recordFetches(completions: readonly Completion[]): void {
    for (const completion of completions) {
      const record = fetchRecord(completion);
      const key = `${completion.collection}/${completion.id}`;
      if (record !== undefined)
        this.#records.set(key, [record, ...(this.#records.get(key) ?? [])].slice(0, rememberedFetches));
    }
  }

  async recentFetches(collection: CollectionKey, id: SubscriptionId): Promise<FetchRecord[]> {
    return structuredClone([...(this.#records.get(`${collection}/${id}`) ?? [])]);
  }
}
