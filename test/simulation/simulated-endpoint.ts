import { collectionKey, EditError, itemId, subscriptionId } from '#core';
import { editItem, writtenBlocks } from '#items';
import { feedUrl } from '#protocol';
import type { ItemEdit } from '#items';
import type { FeedVariant } from '#protocol';
import {
  createMemoryEventStream,
  createMemoryQueue,
  createMemoryStore,
  MemoryPollLeases,
  sampleCollection,
  sampleSubscription,
} from '#in-memory';
import { FetchError } from '#core';
import type { ItemId, Random, Collection, Store, StoredItem } from '#core';
import { fetchSubscription } from '../../apps/fetcher/src/fetch-subscription.ts';
import { fetchDue } from '../../apps/fetcher/src/take-due.ts';
import { reconcileManifests } from '../../apps/fetcher/src/reconcile-fetches.ts';
import { currentFeed } from '../../apps/gateway/src/feeds/current-feed.ts';
import { feedItems } from '../../apps/gateway/src/feeds/feed-items.ts';
import { writeFeed } from '../../apps/gateway/src/feeds/write-feed.ts';
import { mergeBatch } from '../../apps/merger/src/merge-batch.ts';
import { finalizeManifest } from '../../apps/merger/src/finalize-manifest.ts';
import { publishCollection } from '../../apps/publisher/src/publish-collection.ts';
import { followPublished, publishPending } from '../../apps/publisher/src/reconcile-publications.ts';
import { smallFetch } from '../support/fetch-settings.ts';
import { CrashError, faulty } from './faulty.ts';
import { feedsyncKind } from './feedsync-kind.ts';
import type { Kind } from './kind.ts';
import type { Surroundings } from './surroundings.ts';

const key = collectionKey('todo');
const settings = {
  fetch: smallFetch,
  reconcile: { stalled: 60_000, maximumStalled: 600_000, limit: 100 },
  publish: { block: 4, retention: 1000 },
};

/** A whole Feedmesh, its four services and its databases, in one thread. */
export class SimulatedEndpoint {
  /** What is kept; survives every crash. */
  readonly store: Store;
  readonly events = createMemoryEventStream();
  readonly #kind: Kind;
  readonly #queue;
  readonly #polls: MemoryPollLeases;
  readonly #ports;
  /** What a feed is written by. */
  readonly #reading;
  #isInterrupted = false;

  constructor(
    readonly label: string,
    private readonly world: Surroundings,
  ) {
    const { clock, dice, http, weather, kind = feedsyncKind } = world;
    this.#kind = kind;
    const dies = (): boolean => weather.die > 0 && dice.fraction() < weather.die;
    const meanwhile = (): Promise<void> => this.#meanwhile();
    const faults = { dies, meanwhile };
    const random: Random = { fraction: dice.fraction, identifier: dice.identifier };
    const blocks = writtenBlocks({ now: () => clock.now(), publicUrl: this.url });
    this.store = createMemoryStore({
      clock,
      // As where others were faster too often.
      compose: (...written) => (dice.fraction() < 0.2 ? undefined : blocks(...written)),
    });
    this.#polls = new MemoryPollLeases(clock);
    this.#queue = createMemoryQueue({
      fraction: dice.fraction,
      get lose() {
        return weather.lose;
      },
      get repeat() {
        return weather.repeat;
      },
    });
    this.#ports = {
      store: faulty(this.store, faults),
      queue: faulty(this.#queue, faults),
      polls: faulty(this.#polls, faults),
      stream: faulty(this.events, faults),
      http,
      clock,
      random,
      publicUrl: this.url,
      now: () => clock.now(),
    };
    this.#reading = {
      store: faulty(this.store, { dies: () => false, meanwhile }),
      clock,
      publicUrl: this.url,
    };
    for (const variant of ['partial', 'complete'] as const)
      http.serve(this.feedUrl(variant), () => this.#serveFeed(variant));
  }

  get url(): string {
    return `http://${this.label}.example`;
  }

  feedUrl(variant: FeedVariant): string {
    return feedUrl(this.url, { key, format: this.#kind.format }, variant);
  }

  async open(windowItems: number): Promise<void> {
    await this.store.collections.create(
      sampleCollection({
        key,
        protocol: this.#kind.protocol,
        format: this.#kind.format,
        title: this.label,
        endpoint: `endpoint:${this.label}`,
        settings: {
          windowItems,
          expiresAfter: 10,
          ...this.#kind.settings(this.world.dice),
        },
        createdAt: this.world.clock.now(),
      }),
    );
  }

  async subscribe(other: SimulatedEndpoint): Promise<void> {
    const now = this.world.clock.now();
    await this.store.subscriptions.put(
      sampleSubscription({
        collection: key,
        id: subscriptionId(other.label),
        url: other.feedUrl('partial'),
        interval: { minimum: 5, maximum: 60 },
        createdAt: now,
      }),
    );
  }

  /** One random local edit; one that does not fit the item's state is given up. */
  async edit(id: string): Promise<void> {
    await this.#attempt((collection) =>
      this.#kind.edit(this.#ports, collection, id, this.label, this.world.dice),
    );
  }

  /** One local edit; given up as `edit` is. */
  async perform(id: string, edit: ItemEdit): Promise<void> {
    await this.#attempt((collection) => editItem(this.#ports, collection, itemId(id), edit));
  }

  /** Removes one published item for good, as a publisher may (FeedSync 4.2.4). */
  async purge(id: ItemId): Promise<void> {
    const item = (await this.store.items.load(key, [id])).get(id);
    if (item?.sequence === undefined || item.announced?.revision !== item.revision) return;
    await this.store.collections.raiseSince(key, item.sequence);
    await this.store.items.remove(key, [item]);
  }

  /** Looks at what is due, interrupted and pending, as the services do from time to time. */
  async reconcile(): Promise<void> {
    const { dice, weather } = this.world;
    if (weather.lose > 0 && dice.fraction() < weather.lose) this.#polls.lose();
    await this.#live(() => fetchDue(this.#ports, settings.fetch, settings.reconcile.limit));
    await this.#live(() => reconcileManifests(this.#ports, settings.reconcile));
    await this.#live(() => publishPending(this.#ports));
    await this.#live(() => followPublished(this.#ports));
  }

  /** Delivers one job; returns false if none waits. */
  async deliver(): Promise<boolean> {
    const ports = this.#ports;
    return this.#live(() =>
      this.#queue.deliver({
        fetch: (job) => fetchSubscription(ports, settings.fetch, job),
        merge: (job) => mergeBatch(ports, job),
        finalize: (job) => finalizeManifest(ports, job),
        publish: (job) => publishCollection(ports, settings.publish, job),
      }),
    );
  }

  /** Every item as all endpoints must have it. */
  async items(): Promise<unknown[]> {
    return (await this.stored()).map((item) => this.#kind.essence(item));
  }

  async stored(): Promise<StoredItem[]> {
    return this.store.items.list(key, { limit: 1000 });
  }

  /**
   * Now and then, and never while it is doing so already, the endpoint does one thing more at the same time.
   */
  async #meanwhile(): Promise<void> {
    const { dice, weather } = this.world;
    if (weather.interrupt === 0 || this.#isInterrupted || dice.fraction() >= weather.interrupt) return;
    this.#isInterrupted = true;
    if (dice.fraction() < 0.5) await this.edit(dice.pick(this.#kind.ids));
    else await this.deliver();
    this.#isInterrupted = false;
  }

  async #attempt(edit: (collection: Collection) => Promise<unknown>): Promise<void> {
    try {
      await edit(await this.#collection());
    } catch (error) {
      if (
        !(
          error instanceof EditError ||
          error instanceof CrashError ||
          (error as Error).name === 'ResolutionError'
        )
      )
        throw error;
    }
  }

  async #live<T>(work: () => Promise<T>): Promise<T | true> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof CrashError) return true;
      throw error;
    }
  }

  async #collection(): Promise<Collection> {
    const collection = await this.store.collections.find(key);
    if (collection === undefined) throw new Error(`${this.label} has no collection`);
    return collection;
  }

  async #serveFeed(variant: FeedVariant) {
    const { weather, dice, watch } = this.world;
    if (weather.die > 0 && dice.fraction() < 0.1) throw new FetchError('connection', 'the network is down');
    const collection = await this.#collection();
    const items = await this.stored();
    const feed = await currentFeed(
      this.#reading,
      collection,
      { variant, format: this.#kind.format },
      this.#reading.clock.now(),
    );
    let body = '';
    for await (const { text } of writeFeed(feed, feedItems(this.#reading, collection, feed))) body += text;
    watch?.({ label: this.label, variant, feed, collection, items, body });
    if (weather.die > 0 && dice.fraction() < 0.1) body = body.slice(0, dice.below(body.length));
    return { status: 200, headers: { etag: feed.etag, 'content-type': this.#kind.mediaType }, body };
  }
}
