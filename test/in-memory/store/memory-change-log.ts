import { eventText, firstBytes } from '#core';
import type { ChangeBlock, ChangeLog, CollectionKey } from '#core';

/** The log of changes in memory. */
export class MemoryChangeLog implements ChangeLog {
  /** For each collection, in ascending order. */
  readonly #blocks = new Map<string, ChangeBlock[]>();

  async append(block: ChangeBlock): Promise<boolean> {
    const blocks = this.#of(block.collection);
    if (blocks.some(({ first }) => first === block.first)) return false;
    const longer = [...blocks, structuredClone(block)].sort((one, other) => one.first - other.first);
    this.#blocks.set(block.collection, longer);
    return true;
  }

  async last(collection: CollectionKey): Promise<ChangeBlock | undefined> {
    return structuredClone(this.#of(collection).at(-1));
  }

  async read(
    collection: CollectionKey,
    since: number,
    limit: number,
    bytes = Infinity,
  ): Promise<ChangeBlock['events'][number][]> {
    const events = this.#of(collection).flatMap(({ first, events }) =>
      events.slice(Math.max(0, since + 1 - first)),
    );
    const { length } = firstBytes(events.slice(0, limit).map(eventText), bytes);
    return structuredClone(events.slice(0, length));
  }

  async oldestSince(collection: CollectionKey): Promise<number | undefined> {
    const oldest = this.#of(collection)[0];
    return oldest && oldest.first - 1;
  }

  async prune(collection: CollectionKey, sequence: number): Promise<void> {
    const blocks = this.#of(collection);
    this.#blocks.set(
      collection,
      blocks.filter((block, place) => place === blocks.length - 1 || lastOf(block) > sequence),
    );
  }

  /** The highest sequence in a collection's log; 0 if it is empty. */
  lastSequence(collection: CollectionKey): number {
    const newest = this.#of(collection).at(-1);
    return newest ? lastOf(newest) : 0;
  }

  removeCollection(name: string): void {
    this.#blocks.delete(name);
  }

  #of(collection: CollectionKey): readonly ChangeBlock[] {
    return this.#blocks.get(collection) ?? [];
  }
}

function lastOf({ first, events }: ChangeBlock): number {
  return first + events.length - 1;
}
