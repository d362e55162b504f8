import type { mongo } from 'mongoose';
import { eventOf, firstBytes } from '#core';
import type { ChangeBlock, ChangeLog, CollectionKey, LoggedBlock } from '#core';
import type { ChangeDocument } from './change-document.ts';
import { blockKey, firstOf } from './change-document.ts';
import { keysOf } from './key.ts';
import { removeRange } from './remove-range.ts';

/** The log of changes in MongoDB, one document a block; `Publications` writes it. */
export class MongoChangeLog implements ChangeLog {
  readonly #blocks: mongo.Collection<ChangeDocument>;

  constructor(blocks: mongo.Collection<ChangeDocument>) {
    this.#blocks = blocks;
  }

  async blocks(collection: CollectionKey, after: number, bytes: number): Promise<LoggedBlock[]> {
    const range = { $gte: blockKey(collection, after + 1), $lt: keysOf(collection).$lt };
    const found: LoggedBlock[] = [];
    let length = 0;
    for await (const { _id, events, heads, at } of this.#blocks.find({ _id: range }, { sort: { _id: 1 } })) {
      found.push({ first: firstOf(_id), events: events.map(eventOf), at, ...(heads && { heads }) });
      for (const event of events) length += event.length;
      if (length >= bytes) break;
    }
    return found;
  }

  /** The highest sequence in the log; 0 if it is empty. */
  async lastSequence(collection: CollectionKey): Promise<number> {
    const block = await this.#blocks.findOne(
      { _id: keysOf(collection) },
      { projection: { last: 1 }, sort: { _id: -1 } },
    );
    return block?.last ?? 0;
  }

  async read(
    collection: CollectionKey,
    since: number,
    limit: number,
    bytes = Infinity,
  ): Promise<ChangeBlock['events'][number][]> {
    const next = blockKey(collection, since + 1);
    const blocks = await this.#eventsOf({ $gte: next, $lt: keysOf(collection).$lt }, 0, { limit, bytes }, 1);
    const isWithinBlock = blocks[0]?._id !== next;
    // Whoever read to the end of a block goes on with the next one; only others are within a block.
    const before = isWithinBlock
      ? await this.#eventsOf({ $gt: keysOf(collection).$gt, $lt: next }, since, { limit, bytes }, -1)
      : [];
    const events = [...before, ...blocks].flatMap((block) => block.events).slice(0, limit);
    return firstBytes(events, bytes).map(eventOf);
  }

  /**
   * The events of blocks, as they are stored: ascending, of as many blocks as are needed for `limit` events,
   * or for `bytes`; or, in direction -1, of the last block alone. No more than `limit` of one block, which
   * may hold far more.
   */
  async #eventsOf(
    range: mongo.Condition<string>,
    since: number,
    { limit, bytes }: { readonly limit: number; readonly bytes: number },
    direction: 1 | -1,
  ): Promise<Pick<ChangeDocument, '_id' | 'events'>[]> {
    const passed = { $max: [0, { $subtract: [since, { $subtract: ['$last', { $size: '$events' }] }] }] };
    const most = direction === 1 ? limit : 1;
    const blocks = this.#blocks
      .find({ _id: range }, { sort: { _id: direction }, limit: most, batchSize: most + 1 })
      .project<Pick<ChangeDocument, '_id' | 'events'>>({ events: { $slice: ['$events', passed, limit] } });
    const found: Pick<ChangeDocument, '_id' | 'events'>[] = [];
    let [events, length] = [0, 0];
    for await (const block of blocks) {
      found.push(block);
      events += block.events.length;
      for (const event of block.events) length += event.length;
      // A character takes a byte at least.
      if (events >= limit || length >= bytes) break;
    }
    return found;
  }

  async oldestSince(collection: CollectionKey): Promise<number | undefined> {
    const oldest = await this.#blocks.findOne(
      { _id: keysOf(collection) },
      { projection: { _id: 1 }, sort: { _id: 1 } },
    );
    return oldest === null ? undefined : firstOf(oldest._id) - 1;
  }

  async prune(collection: CollectionKey, sequence: number): Promise<void> {
    // The blocks are without a gap, so all before the one that holds the next sequence lie at or below this
    // one.
    const kept = await this.#holder(collection, sequence + 1);
    if (kept !== undefined) await removeRange(this.#blocks, { ...keysOf(collection), $lt: kept });
  }

  async remove(collection: CollectionKey): Promise<void> {
    await removeRange(this.#blocks, keysOf(collection));
  }

  /** The key of the block that holds a sequence, or of the last one if the sequence is yet to come. */
  async #holder(collection: CollectionKey, sequence: number): Promise<string | undefined> {
    const range = { $gt: keysOf(collection).$gt, $lte: blockKey(collection, sequence) };
    const block = await this.#blocks.findOne({ _id: range }, { projection: { _id: 1 }, sort: { _id: -1 } });
    return block?._id;
  }
}
