import { feedAddress, treeContent, targetAt } from '#cse';
import {
  createMemoryEventStream,
  createMemoryQueue,
  createMemoryStore,
  MemoryPollLeases,
  sampleCollection,
  sampleSubscription,
} from '#in-memory';
import { collectionKey, rootFeed, subscriptionId } from '#core';
import type { Clock, Collection, Store } from '#core';
import { jobSchemas } from '#contracts';
import type { QueueName } from '#contracts';
import { fetchSubscription } from '../../apps/fetcher/src/fetch-subscription.ts';
import { fetchDue } from '../../apps/fetcher/src/take-due.ts';
import { reconcileManifests } from '../../apps/fetcher/src/reconcile-fetches.ts';
import { downloadDocuments } from '../../apps/fetcher/src/tree/download-documents.ts';
import { treeFeedTag } from '../../apps/gateway/src/tree/tree-feed.ts';
import { textsOf } from '../support/texts-of.ts';
import { writeTreeFeed } from '../../apps/gateway/src/tree/write-tree-feed.ts';
import { finalizeManifest } from '../../apps/merger/src/finalize-manifest.ts';
import { mirrorTreeFeed } from '../../apps/merger/src/tree/mirror-tree-feed.ts';
import { publishCollection } from '../../apps/publisher/src/publish-collection.ts';
import { contentPurge } from '../../apps/publisher/src/purge-contents.ts';
import { feedPurge } from '../../apps/publisher/src/purge-feeds.ts';
import { followPublished, publishPending } from '../../apps/publisher/src/reconcile-publications.ts';
import { smallFetch, smallWalk } from '../support/fetch-settings.ts';
import type { Dice } from './dice.ts';
import { faulty } from './faulty.ts';
import type { Weather } from './surroundings.ts';
import type { TreeAnswer, TreeNetwork } from './tree-network.ts';
import type { TreeThreads, WorldTime } from './tree-threads.ts';

/** What the endpoints of a tree share. */
export interface TreeSurroundings {
  readonly dice: Dice;
  readonly time: WorldTime;
  readonly threads: TreeThreads;
  readonly network: TreeNetwork;
  readonly weather: Weather;
  /** A pause now and then, at which others have their turn. */
  readonly pause: () => Promise<void>;
}

export const tree = collectionKey('tree');

const settings = {
  fetch: {
    ...smallFetch,
    batch: { ...smallFetch.batch, backlog: 5 },
    tree: { ...smallWalk, parallelPerHost: 3, poll: 400 },
  },
  reconcile: { stalled: 60_000, maximumStalled: 600_000, limit: 100 },
  publish: { block: 4, retention: 1000 },
};

const jobs = Object.keys(jobSchemas) as QueueName[];

/**
 * A whole Feedmesh with one tree in one thread: its services run at the same time, each run by a clock of its
 * own, and any may die at any call.
 */
export class TreeEndpoint {
  /** What is kept; survives every crash. */
  readonly store: Store;
  readonly events = createMemoryEventStream();
  readonly #world: TreeSurroundings;
  readonly #queue;
  readonly #polls: MemoryPollLeases;
  readonly #purgeFeeds;
  /** How far the clocks of its machines are off, in milliseconds. */
  readonly #skews: readonly number[];
  #active = 0;

  constructor(
    readonly label: string,
    world: TreeSurroundings,
  ) {
    const { dice, network, weather, time } = world;
    this.#world = world;
    this.#skews = dice.pick([[0], [0, 3000], [-9000, 0, 8000]]);
    this.store = createMemoryStore({ clock: { now: () => new Date(time.now) } });
    this.#polls = new MemoryPollLeases({ now: () => new Date(time.now) });
    this.#queue = createMemoryQueue({
      fraction: dice.fraction,
      get lose() {
        return weather.lose;
      },
      get repeat() {
        return weather.repeat;
      },
    });
    this.#purgeFeeds = feedPurge({ now: () => new Date(time.now) }, 10);
    network.serve(`${label}.example`, (url) => this.#answer(url));
  }

  get url(): string {
    return `http://${this.label}.example`;
  }

  /** Where its root feed is read. */
  get root(): string {
    return feedAddress(this.url, tree, rootFeed);
  }

  /** @param tombstoneAge after how many seconds deleted items are removed */
  async open(tombstoneAge: number): Promise<void> {
    const createdAt = new Date(this.#world.time.now);
    await this.store.collections.create(
      sampleCollection({
        key: tree,
        protocol: 'cse',
        format: 'rss',
        title: this.label,
        endpoint: `endpoint:${this.label}`,
        createdAt,
        settings: { expiresAfter: 10, tombstoneAge },
      }),
    );
    await this.store.feeds.put({ collection: tree, id: rootFeed, title: 'feed root', head: [], createdAt });
  }

  /** Mirrors the tree with this root from now on. */
  async subscribe(url: string): Promise<void> {
    const now = new Date(this.#world.time.now);
    await this.store.subscriptions.put(
      sampleSubscription({
        collection: tree,
        id: subscriptionId('source'),
        url,
        interval: { minimum: 5, maximum: 60 },
        createdAt: now,
      }),
    );
  }

  /** Begins one piece of work as one of its processes, which may die on the way. */
  start(work: (ports: ReturnType<TreeEndpoint['ports']>) => Promise<unknown>): void {
    this.#active += 1;
    this.#world.threads.start(() =>
      work(this.ports()).finally(() => {
        this.#active -= 1;
      }),
    );
  }

  /** The world as one run of a process sees it: once it has died, it does nothing more. */
  ports() {
    const { dice, weather, network, threads, time, pause } = this.#world;
    const skew = dice.pick(this.#skews);
    const clock: Clock = {
      now: () => new Date(time.now + skew),
      wait: (milliseconds) => threads.pause(milliseconds),
    };
    let isDead = false;
    const faults = {
      dies: () => (isDead ||= weather.die > 0 && dice.fraction() < weather.die),
      meanwhile: pause,
    };
    return {
      store: faulty(this.store, faults),
      queue: faulty(this.#queue, faults),
      backlog: faulty(this.#queue, faults),
      polls: faulty(this.#polls, faults),
      stream: faulty(this.events, faults),
      http: network,
      clock,
      random: { fraction: dice.fraction, identifier: dice.identifier },
      publicUrl: this.url,
      now: () => clock.now(),
    };
  }

  /** Looks at what is due, interrupted and pending, as the services do from time to time. */
  reconcile(): void {
    const { dice, weather } = this.#world;
    if (weather.lose > 0 && dice.fraction() < weather.lose) this.#polls.lose();
    this.start((ports) => fetchDue(ports, settings.fetch, settings.reconcile.limit));
    this.start((ports) => reconcileManifests(ports, settings.reconcile));
    this.start((ports) => publishPending(ports));
    this.start((ports) => followPublished(ports));
  }

  /** Removes old tombstones, and what nothing has referred to for this many seconds. */
  purge(grace: number): void {
    this.start((ports) => this.#purgeFeeds(ports));
    this.start((ports) => contentPurge(ports.clock, grace)(ports));
  }

  /** Begins to deliver one job, unless so many are in progress already. */
  deliver(): void {
    if (this.#active >= 10) return;
    this.start((ports) =>
      this.#queue.deliver({
        fetch: (job) => fetchSubscription(ports, settings.fetch, job),
        download: (job) => downloadDocuments(ports, undefined, job),
        mirror: (job) => mirrorTreeFeed(ports, job),
        finalize: (job) => finalizeManifest(ports, job),
        publish: (job) => publishCollection(ports, settings.publish, job),
      }),
    );
  }

  /** How many jobs wait. */
  readonly backlog = async (): Promise<number> => {
    const lengths = await Promise.all(jobs.map((name) => this.#queue.backlog(name)));
    return lengths.reduce((sum, length) => sum + length, 0);
  };

  /** Asks for a random link that is on demand, as a person does. */
  async request(): Promise<void> {
    const items = await this.store.items.list(tree, { limit: 1000 });
    const links = items
      .flatMap(({ content }) => treeContent(content).links)
      .filter(({ onDemand, url }) => onDemand && url !== undefined);
    if (links.length === 0) return;
    const { url, nestedFeed } = this.#world.dice.pick(links);
    if (url !== undefined) await this.store.documents.request(tree, url, nestedFeed);
  }

  async collection(): Promise<Collection> {
    const collection = await this.store.collections.find(tree);
    if (collection === undefined) throw new Error(`${this.label} has no collection`);
    return collection;
  }

  async #answer(url: string): Promise<TreeAnswer | undefined> {
    const target = targetAt(url, this.url, tree);
    if (target === undefined) return undefined;
    const { pause } = this.#world;
    const store = faulty(this.store, { dies: () => false, meanwhile: pause });
    if ('file' in target) {
      const content = (await store.contents.load(tree, [target.file])).get(target.file);
      return (
        content && {
          etag: `"${content.digest}"`,
          type: content.type ?? '',
          body: store.contents.read(tree, content.digest),
        }
      );
    }
    const collection = await this.collection();
    const feed = (await store.feeds.load(tree, [target.feed])).get(target.feed);
    if (feed === undefined) return undefined;
    return {
      etag: treeFeedTag(collection, feed),
      type: 'application/rss+xml',
      body: textsOf(writeTreeFeed({ store, publicUrl: this.url }, collection, feed)),
    };
  }
}
