import { payloadFromFields } from '#xml';
import { editItem, writtenBlocks } from '#items';
import {
  createMemoryEventStream,
  createMemoryHttp,
  createMemoryQueue,
  createMemoryStore,
  sampleCollection,
  sampleSubscription,
} from '#in-memory';
import { requestFetch, requestPublish } from '#contracts';
import { collectionKey, itemId } from '#core';
import type { Collection, CollectionSettings, StoredItem, Subscription, SubscriptionId } from '#core';
import { smallFetch } from '../support/fetch-settings.ts';
import { fetchSubscription } from '../../apps/fetcher/src/fetch-subscription.ts';
import { mergeBatch } from '../../apps/merger/src/merge-batch.ts';
import { finalizeManifest } from '../../apps/merger/src/finalize-manifest.ts';
import { publishCollection } from '../../apps/publisher/src/publish-collection.ts';
import { feedPurge } from '../../apps/publisher/src/purge-feeds.ts';

/** The ids of the items that the endpoint creates, updates and deletes, in this order. */
export interface CaseEdits {
  readonly create?: readonly string[];
  readonly update?: readonly string[];
  readonly delete?: readonly string[];
}

/**
 * One edit, with the place that it gives an outline: below which one, null for the root, and before which of
 * those below it, counted from 0. What is absent stays; a new one is the last of the root.
 */
export interface CaseEdit {
  readonly action: 'create' | 'update' | 'delete';
  readonly id: string;
  readonly parent?: string | null;
  readonly index?: number;
}

const key = collectionKey('items');
const settings = {
  fetch: { ...smallFetch, batch: { items: 2, characters: 10_000, backlog: 10 } },
  publish: { block: 3, retention: 1000 },
};

/** What kind of collection the endpoint has. */
export type CaseCollection = Pick<Collection, 'protocol' | 'format'>;

/**
 * One endpoint with one collection, in memory. It edits as `here`, begins on 2026-01-01T00:00:00Z, and its
 * time is the case's.
 */
export class CaseEndpoint {
  readonly publicUrl = 'http://here.example';
  readonly http = createMemoryHttp();
  readonly events = createMemoryEventStream();
  readonly clock = {
    now: () => new Date(this.#time),
    wait: async (milliseconds: number) => this.pass(milliseconds / 1000),
  };
  readonly store = createMemoryStore({
    clock: this.clock,
    compose: writtenBlocks({ now: this.clock.now, publicUrl: this.publicUrl }),
  });
  readonly purge = () => this.#purge({ store: this.store });
  readonly #purge = feedPurge(this.clock, 100);
  readonly #queue = createMemoryQueue();
  #time = Date.parse('2026-01-01T00:00:00Z');
  #identifiers = 0;

  async open(
    given: Partial<CollectionSettings> = {},
    kind: CaseCollection = { protocol: 'feedsync', format: 'atom' },
  ): Promise<void> {
    await this.store.collections.create(
      sampleCollection({
        key,
        ...kind,
        title: 'Items',
        endpoint: 'here',
        settings: { expiresAfter: 86_400, ...given },
        createdAt: this.clock.now(),
      }),
    );
  }

  /** Lets this many seconds pass. */
  pass(seconds: number): void {
    this.#time += seconds * 1000;
  }

  async collection(): Promise<Collection> {
    const collection = await this.store.collections.find(key);
    if (collection === undefined) throw new Error('The endpoint is not open.');
    return collection;
  }

  items(): Promise<StoredItem[]> {
    return this.store.items.list(key, { limit: 1000 });
  }

  /** Edits and publishes, one item after the other. */
  async edit(edits: CaseEdits): Promise<void> {
    for (const action of ['create', 'update', 'delete'] as const) {
      for (const id of edits[action] ?? []) await this.editTogether([{ action, id }]);
    }
  }

  /** Edits one item after the other, and then publishes. */
  async editTogether(edits: readonly CaseEdit[]): Promise<void> {
    const collection = await this.collection();
    for (const { action, id, parent, index } of edits) {
      const text = `${action} ${id}`;
      const payload = payloadFromFields(
        collection.format,
        collection.format === 'opml' ? { attributes: { text } } : { title: text },
      );
      const place = parent === undefined && index === undefined ? undefined : { parent, position: index };
      await editItem(
        { store: this.store, now: this.clock.now, publicUrl: this.publicUrl },
        collection,
        itemId(id),
        {
          action,
          id: itemId(id),
          payload,
          place,
        },
      );
    }
    await this.#queue.send([requestPublish(key)]);
    await this.#work();
  }

  /** Reads a feed, for the first time or again, and returns how the subscription then stands. */
  async read(id: SubscriptionId, url: string): Promise<Subscription> {
    const now = this.clock.now();
    const asked = await this.store.subscriptions.refresh(
      key,
      id,
      { nextFetchAt: now, nextFetchReason: 'read again' },
      false,
    );
    if (asked === undefined) {
      await this.store.subscriptions.put(
        sampleSubscription({
          collection: key,
          id,
          url,
          createdAt: now,
        }),
      );
    }
    await this.#queue.send([requestFetch(key, id)]);
    await this.#work();
    const subscription = await this.store.subscriptions.find(key, id);
    if (subscription === undefined) throw new Error(`The subscription ${id} is lost.`);
    return subscription;
  }

  async #work(): Promise<void> {
    const random = {
      fraction: () => 0,
      identifier: () => String((this.#identifiers += 1)).padStart(32, '0'),
    };
    const ports = {
      store: this.store,
      queue: this.#queue,
      backlog: this.#queue,
      stream: this.events,
      http: this.http,
      clock: this.clock,
      random,
      publicUrl: this.publicUrl,
    };
    // A publisher that is ahead of the clock goes on at once: the time is the case's.
    const standing = { ...this.clock, wait: async () => {} };
    const handlers = {
      fetch: (job: Parameters<typeof fetchSubscription>[2]) => fetchSubscription(ports, settings.fetch, job),
      merge: (job: Parameters<typeof mergeBatch>[1]) => mergeBatch(ports, job),
      finalize: (job: Parameters<typeof finalizeManifest>[1]) => finalizeManifest(ports, job),
      publish: (job: Parameters<typeof publishCollection>[2]) =>
        publishCollection({ ...ports, clock: standing }, settings.publish, job),
    };
    while (await this.#queue.deliver(handlers));
  }
}
