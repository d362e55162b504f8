import { usualFetch } from '../support/fetch-settings.ts';
import { gatewayLimits } from '../support/gateway-limits.ts';
import { createHttpFetch } from '#http-fetch';
import { writtenBlocks } from '#items';
import { isFeedTree, sharingProtocolOf } from '#protocols';
import {
  createMemoryEventStream,
  createMemoryQueue,
  createMemoryStore,
  sampleCollection,
  sampleSubscription,
} from '#in-memory';
import { collectionKey, rootFeed, subscriptionId } from '#core';
import type { Collection, Store, StoredItem, Subscription } from '#core';
import { fetchSubscription } from '../../apps/fetcher/src/fetch-subscription.ts';
import type { FetchSettings } from '../../apps/fetcher/src/fetch-settings.ts';
import { downloadDocuments } from '../../apps/fetcher/src/tree/download-documents.ts';
import { currentFeed } from '../../apps/gateway/src/feeds/current-feed.ts';
import { feedItems } from '../../apps/gateway/src/feeds/feed-items.ts';
import type { FeedVariant } from '#protocol';
import { composeReaderFeed, rootOf, writeReaderFeed } from '../../apps/gateway/src/feeds/reader-feed.ts';
import { writeFeed } from '../../apps/gateway/src/feeds/write-feed.ts';
import { textsOf } from '../support/texts-of.ts';
import { writeTreeFeed } from '../../apps/gateway/src/tree/write-tree-feed.ts';
import { mergeBatch } from '../../apps/merger/src/merge-batch.ts';
import { finalizeManifest } from '../../apps/merger/src/finalize-manifest.ts';
import { mirrorTreeFeed } from '../../apps/merger/src/tree/mirror-tree-feed.ts';
import { publishCollection } from '../../apps/publisher/src/publish-collection.ts';
import type { CollectionKind } from './hostile-feed.ts';

const key = collectionKey('feeds');
const peer = subscriptionId('peer');
const publicUrl = 'http://here.example';

const kinds: Readonly<
  Record<CollectionKind, Pick<Collection, 'protocol' | 'format'> & { readonly ordered?: boolean }>
> = {
  atom: { protocol: 'feedsync', format: 'atom' },
  rss: { protocol: 'feedsync', format: 'rss' },
  sse: { protocol: 'sse', format: 'rss' },
  ordered: { protocol: 'sse', format: 'rss', ordered: true },
  opml: { protocol: 'sse', format: 'opml' },
  tree: { protocol: 'cse', format: 'rss' },
};

const settings = {
  fetch: {
    ...usualFetch,
    batch: { items: 250, characters: 1_000_000, backlog: 200 },
    lease: 90_000,
    markupLength: 65_536,
  },
  publish: { block: 500, retention: 100_000 },
};

type Text = AsyncIterable<string> | Iterable<string>;

/** A whole Feedmesh in memory: its services as they are, with the limits that they have by default. */
export class HostileEndpoint {
  readonly store: Store;
  readonly #queue = createMemoryQueue();
  readonly #http = createHttpFetch({ allowNetworks: ['127.0.0.1/32'] });
  readonly #clock;
  readonly #stream = createMemoryEventStream();
  #identifiers = 0;
  #time = Date.parse('2026-02-01T00:00:00Z');

  readonly #fetch: FetchSettings;

  /** @param fetch settings of a fetch that are not those of all */
  constructor(fetch: Partial<FetchSettings> = {}) {
    this.#fetch = { ...settings.fetch, ...fetch };
    this.#clock = {
      now: () => new Date(this.#time),
      // A walk through a tree waits for what others do meanwhile.
      wait: async (milliseconds: number) => {
        this.#time += milliseconds;
        if (!(await this.#deliver())) await new Promise((resolve) => setImmediate(resolve));
      },
    };
    const compose = writtenBlocks({ now: this.#clock.now, publicUrl });
    this.store = createMemoryStore({ clock: this.#clock, compose });
  }

  /** Creates the collection and its subscription to a feed. */
  async subscribe(kind: CollectionKind, url: string): Promise<void> {
    const { ordered, ...form } = kinds[kind];
    const createdAt = this.#clock.now();
    await this.store.collections.create(
      sampleCollection({
        key,
        ...form,
        title: 'Feeds',
        createdAt,
        settings: {
          windowItems: 1_000_000,
          listSubscriptions: true,
          ...(ordered && { ordered }),
        },
      }),
    );
    if (kind === 'tree')
      await this.store.feeds.put({ collection: key, id: rootFeed, title: 'Feeds', head: [], createdAt });
    await this.store.subscriptions.put(
      sampleSubscription({
        collection: key,
        id: peer,
        url,
        createdAt,
      }),
    );
  }

  /** Fetches the feed once more, and does all that follows from it. */
  async fetch(): Promise<Subscription> {
    const now = this.#clock.now();
    await this.store.subscriptions.refresh(
      key,
      peer,
      { nextFetchAt: now, nextFetchReason: 'a test asks' },
      false,
    );
    await this.#queue.send([{ queue: 'fetch', data: { version: 1, collection: key, subscription: peer } }]);
    while (await this.#deliver());
    this.#time += 60_000;
    const subscription = await this.store.subscriptions.find(key, peer);
    if (subscription?.last === undefined) throw new Error('nothing was fetched');
    return subscription;
  }

  items(): Promise<StoredItem[]> {
    return this.store.items.list(key, { limit: 1_000_000 });
  }

  /** The rule of each item that was rejected. */
  async rejections(): Promise<string[]> {
    const letters = await this.store.deadLetters.list({ collection: key, limit: 100_000 });
    return letters.map(
      ({ violations }) => violations.find(({ severity }) => severity === 'error')?.rule ?? 'none',
    );
  }

  async documents() {
    return this.store.documents.list(key, { limit: 1000 });
  }

  /** The feeds that are published, by what each is. */
  async *published(): AsyncGenerator<readonly [what: string, texts: Text]> {
    const collection = await this.#collection();
    const ports = { store: this.store, clock: this.#clock, publicUrl };
    if (isFeedTree(collection)) {
      for (const feed of await this.store.feeds.list(key, { limit: 1000 })) {
        yield [`tree ${feed.id}`, textsOf(writeTreeFeed(ports, collection, feed))];
      }
    } else {
      for (const format of collection.protocol === 'feedsync'
        ? (['atom', 'rss'] as const)
        : [collection.format]) {
        for (const variant of ['complete', 'partial'] as const) {
          const feed = await currentFeed(ports, collection, { variant, format }, this.#clock.now());
          yield [`${variant} ${format}`, textsOf(writeFeed(feed, feedItems(ports, collection, feed)))];
        }
      }
    }
    if (collection.format === 'opml') return;
    const { configuration: usual } = gatewayLimits();
    const configuration = { ...usual, GATEWAY_READER_ITEMS: 10_000 };
    for (const format of ['atom', 'rss'] as const) {
      const root = await rootOf(ports, collection);
      const feed = composeReaderFeed({ ...ports, configuration }, collection, format, root);
      yield [`reader ${format}`, textsOf(writeReaderFeed({ ...ports, configuration }, collection, feed))];
    }
  }

  /** Each item as the HTTP interface shows it. */
  async views(): Promise<unknown[]> {
    const collection = await this.#collection();
    if (isFeedTree(collection)) return [];
    const protocol = sharingProtocolOf(collection);
    return (await this.items()).map(({ content }) => protocol.json(content as never));
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  async #collection(): Promise<Collection> {
    const collection = await this.store.collections.find(key);
    if (collection === undefined) throw new Error('there is no collection');
    return collection;
  }

  /** Delivers one job; returns false if none waits. */
  #deliver(): Promise<boolean> {
    const random = { fraction: () => 0, identifier: () => `i${(this.#identifiers += 1)}` };
    const ports = {
      store: this.store,
      queue: this.#queue,
      backlog: this.#queue,
      http: this.#http,
      clock: this.#clock,
      stream: this.#stream,
      random,
      publicUrl,
      now: () => this.#clock.now(),
    };
    return this.#queue.deliver({
      fetch: (job) => fetchSubscription(ports, this.#fetch, job),
      merge: (job) => mergeBatch(ports, job),
      download: (job) => downloadDocuments(ports, undefined, job),
      mirror: (job) => mirrorTreeFeed(ports, job),
      finalize: (job) => finalizeManifest(ports, job),
      publish: (job) => publishCollection(ports, settings.publish, job),
    });
  }
}

export type { FeedVariant };
