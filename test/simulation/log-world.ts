import { collectionKey, EditError, itemId } from '#core';
import type { Collection, EventStream, Store } from '#core';
import { editItem, writtenBlocks } from '#items';
import { payloadFromFields } from '#xml';
import { createMemoryEventStream, createMemoryStore, sampleCollection } from '#in-memory';
import { publishCollection } from '../../apps/publisher/src/publish-collection.ts';
import { Dice } from './dice.ts';
import { faulty } from './faulty.ts';
import { TreeThreads } from './tree-threads.ts';

export const key = collectionKey('todo');

/** What several processes share, as they see it. */
interface SharedLog {
  readonly store: Store;
  readonly stream: EventStream;
}

const publicUrl = 'http://here.example';
const ids = ['a', 'b', 'c', 'd', 'e', 'f'].map(itemId);

/** Writers that publish what they write, and publishers that follow: each may die at any call. */
export class LogWorld {
  readonly store: Store;
  /** Without those that were lost with Redis. */
  stream = createMemoryEventStream();
  hasLost = false;
  readonly dice: Dice;
  readonly threads: TreeThreads;
  readonly #time = { now: Date.parse('2026-01-01T00:00:00Z') };
  #isCalm = false;

  constructor(seed: number) {
    this.dice = new Dice(seed);
    this.threads = new TreeThreads(this.dice, this.#time);
    const blocks = writtenBlocks({ now: this.#now, publicUrl });
    this.store = createMemoryStore({
      clock: { now: this.#now },
      // As where others were faster too often.
      compose: (...written) => (this.dice.fraction() < 0.2 ? undefined : blocks(...written)),
    });
  }

  async open(): Promise<void> {
    const createdAt = new Date(this.#time.now);
    await this.store.collections.create(sampleCollection({ key, createdAt, settings: { windowItems: 3 } }));
  }

  async collection(): Promise<Collection> {
    const collection = await this.store.collections.find(key);
    if (collection === undefined) throw new Error('there is no collection');
    return collection;
  }

  /** Begins an edit of a random item. */
  write(): void {
    const id = this.dice.pick(ids);
    this.threads.start(async () => {
      const { store } = this.#ports();
      const payload = payloadFromFields('atom', { title: String(this.dice.fraction()) });
      const isThere = (await store.items.load(key, [id])).has(id);
      const collection = await this.collection();
      const others = [{ action: 'update', payload }, { action: 'delete' }] as const;
      const edit = isThere ? this.dice.pick(others) : ({ action: 'create', id, payload } as const);
      await editItem({ store, now: this.#now, publicUrl }, collection, id, edit).catch((error: unknown) => {
        // Somebody else was faster.
        if (!(error instanceof EditError)) throw error;
      });
    });
  }

  /** Begins to follow the log, and to publish what is pending. */
  follow(): void {
    const clock = { now: this.#now, wait: (milliseconds: number) => this.threads.pause(milliseconds) };
    this.threads.start(() =>
      publishCollection(
        { ...this.#ports(), clock, publicUrl },
        { block: 3, blockBytes: 800, retention: 1000 },
        { version: 1, collection: key },
      ),
    );
  }

  /** Makes all that was published be announced again, as after a backup. */
  publishAgain(): void {
    this.threads.start(() => this.#ports().store.items.publishAgain(key));
  }

  /** Redis loses what it has. */
  loseStream(): void {
    this.hasLost = true;
    this.stream = createMemoryEventStream();
  }

  async step(): Promise<void> {
    this.#time.now += this.dice.below(300);
    await this.threads.step();
  }

  /** Ends all that is in progress, and follows whatever is left. */
  async rest(): Promise<void> {
    this.#isCalm = true;
    for (let rounds = 0; rounds < 3; rounds += 1) {
      this.follow();
      while (this.threads.running > 0) {
        await this.step();
        this.threads.skip();
      }
    }
  }

  readonly #now = (): Date => new Date(this.#time.now);

  /** What they share as one process sees it, which does nothing more once it has died. */
  #ports(): SharedLog {
    let isDead = false;
    const faults = {
      dies: () => (isDead ||= !this.#isCalm && this.dice.fraction() < 0.02),
      meanwhile: async () => {
        if (!this.#isCalm && this.dice.fraction() < 0.5) await this.threads.pause();
      },
    };
    return { store: faulty(this.store, faults), stream: faulty(this.stream, faults) };
  }
}
