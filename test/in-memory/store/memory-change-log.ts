import { eventText, firstBytes, lastSequenceOf } from '#core';
import type { ChangeBlock, ChangeLog, CollectionKey, LoggedBlock } from '#core';

/** The log of changes in memory. */
export class MemoryChangeLog implements ChangeLog {
  /** For each collection, in ascending order. */
  readonly #blocks = new Map<string, ChangeBlock[]>();

  /** Adds a block, whose place must be free. */
  add(block: ChangeBlock): void {
    if (this.#of(block.collection).some(({ first }) => first === block.first))
      throw new Error(`There is a block at ${block.first}.`);
    const longer = [...this.#of(block.collection), structuredClone(block)];
    this.#blocks.set(
      block.collection,
      longer.sort((one, other) => one.first - other.first),
    );
  }

  async blocks(collection: CollectionKey, after: number, bytes: number): Promise<LoggedBlock[]> {
    const following = this.#of(collection).filter(({ first }) => first > after);
    let length = 0;
    const end = following.findIndex(({ events }) => {
      for (const event of events) length += eventText(event).length;
      return length >= bytes;
    });
    const found = end < 0 ? following : following.slice(0, end + 1);
    return structuredClone(
      found.map(({ first, events, at, heads }) => ({
        first,
        events,
        at,
        ...(heads && heads.length > 0 && { heads: heads.map(({ id }) => id) }),
      })),
    );
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
      blocks.filter((block, place) => place === blocks.length - 1 || lastSequenceOf(block) > sequence),
    );
  }

  /** The highest sequence in a collection's log; 0 if it is empty. */
  lastSequence(collection: CollectionKey): number {
    const newest = this.#of(collection).at(-1);
    return newest ? lastSequenceOf(newest) : 0;
  }

  removeCollection(name: string): void {
    this.#blocks.delete(name);
  }

  #of(collection: CollectionKey): readonly ChangeBlock[] {
    return this.#blocks.get(collection) ?? [];
  }
}
