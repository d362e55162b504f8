import { setTimeout as wait } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { areSameSources } from '#core';
import type { ChangeBlock, CollectionKey, ComposeBlock } from '#core';
import { toAnnouncementDocument } from './announcement-document.ts';
import type { ItemDocument } from './item-document.ts';
import { itemWrite } from './item-write.ts';
import type { RowWrite } from './item-write.ts';
import { bulkLimits, JoinedWrites } from './joined-writes.ts';
import type { WriteOutcome } from './joined-writes.ts';
import { lostWrites } from './lost-writes.ts';
import type { Publications } from './publications.ts';

/** How often others may be faster before what is written waits for a publisher. */
const mostRaces = 20;

/** Milliseconds that one waits on average after the first race; twice as long after each of the next four. */
const racePause = 4;

/** Of how many collections the writes are joined at the same time. */
const mostJoined = 10_000;

/**
 * Writes items and publishes them, each batch with its block. The writes of one process to a collection share
 * transactions, one after the other.
 */
export class PublishedWrites {
  readonly #items: mongo.Collection<ItemDocument>;
  readonly #publications: Publications;
  readonly #compose: ComposeBlock;
  readonly #joined = new Map<CollectionKey, JoinedWrites<RowWrite>>();

  constructor(items: mongo.Collection<ItemDocument>, publications: Publications, compose: ComposeBlock) {
    this.#items = items;
    this.#publications = publications;
    this.#compose = compose;
  }

  /**
   * Returns what came of a write: it is `failed`, and changed nothing, if it is to wait for a publisher.
   * Rejects as `JoinedWrites` does.
   * @param bytes what its row takes
   */
  write(write: RowWrite, bytes: number): Promise<WriteOutcome> {
    const key = write.row.collection;
    let joined = this.#joined.get(key);
    if (joined === undefined) {
      joined = new JoinedWrites((writes) => this.#publish(key, writes), bulkLimits);
      if (this.#joined.size >= mostJoined) this.#joined.clear();
      this.#joined.set(key, joined);
    }
    return joined.write({ key: write.row._id, bytes, write });
  }

  async #publish(key: CollectionKey, writes: readonly RowWrite[]): Promise<WriteOutcome[]> {
    const outcomes = new Map<RowWrite, WriteOutcome>();
    let left = writes;
    for (let races = 0; left.length > 0 && races <= mostRaces; races += 1) {
      const collection = await this.#publications.collection(key);
      const composed =
        collection &&
        this.#compose(
          left.map(({ write }) => write),
          collection,
        );
      if (collection === undefined || composed === undefined) break;
      const outcome = await this.#publications.publish(collection, composed, (session) =>
        this.#store(left, composed, session),
      );
      if (outcome === 'published') {
        for (const write of left) outcomes.set(write, 'stored');
        break;
      }
      const outdated = outcome === 'refused' ? await this.#outdated(left) : new Set<string>();
      for (const write of left) if (outdated.has(write.row._id)) outcomes.set(write, 'lost');
      left = left.filter(({ row }) => !outdated.has(row._id));
      if (outdated.size === 0) await wait(2 * Math.random() * racePause * 2 ** Math.min(races, 4));
    }
    return writes.map((write) => outcomes.get(write) ?? 'failed');
  }

  /** Returns false if any item is not as expected. */
  async #store(
    writes: readonly RowWrite[],
    block: ChangeBlock,
    session: mongo.ClientSession,
  ): Promise<boolean> {
    const operations = writes.map(({ write, row }, place) =>
      itemWrite({ write, row: publishedRow(row, block, place) }),
    );
    return (await lostWrites(this.#items.bulkWrite(operations, { session }))).length === 0;
  }

  /** The rows that are no longer what the writes expect. */
  async #outdated(writes: readonly RowWrite[]): Promise<ReadonlySet<string>> {
    const keys = writes.map(({ row }) => row._id);
    const found = await this.#items
      .find({ _id: { $in: keys } }, { readConcern: { level: 'local' }, batchSize: keys.length + 1 })
      .project<Pick<ItemDocument, '_id' | 'revision' | 'sources'>>({ revision: 1, sources: 1 })
      .toArray();
    const stored = new Map(found.map((row) => [row._id, row]));
    const outdated = writes.filter(({ write: { expected, former }, row }) => {
      const { revision = 0, sources = [] } = stored.get(row._id) ?? {};
      return revision !== expected || (former !== undefined && !areSameSources(sources, former.sources));
    });
    return new Set(outdated.map(({ row }) => row._id));
  }
}

/** The row of an item with what the block at this place publishes of it. */
function publishedRow(row: ItemDocument, { first, at }: ChangeBlock, place: number): ItemDocument {
  const { revision, deleted, conflictCount } = row;
  return {
    ...row,
    pending: false,
    sequence: first + place,
    publishedAt: at,
    announced: toAnnouncementDocument({ revision, deleted, conflictCount }),
  };
}
