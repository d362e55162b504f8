import type { CollectionKey, IssuedRecord, ItemId, StoredItem } from '#core';

/** What was signed of items that were removed, in memory. */
export class MemoryIssued {
  /** By collection and id, with a "/" between; a collection's name holds none. */
  readonly #records = new Map<string, readonly IssuedRecord[]>();

  keep({ collection, id, issued }: Pick<StoredItem, 'collection' | 'id' | 'issued'>): void {
    if (issued !== undefined) this.#records.set(`${collection}/${id}`, structuredClone(issued));
  }

  read(collection: CollectionKey, ids: readonly ItemId[]): Map<ItemId, readonly IssuedRecord[]> {
    return new Map(
      ids.flatMap((id) => {
        const records = this.#records.get(`${collection}/${id}`);
        return records === undefined ? [] : [[id, structuredClone(records)] as const];
      }),
    );
  }
}
