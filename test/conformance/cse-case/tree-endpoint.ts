import { rejects } from 'node:assert/strict';
import {
  createMemoryEventStream,
  createMemoryHttp,
  createMemoryQueue,
  createMemoryStore,
  MemoryFetchHistory,
} from '#in-memory';
import { requestPublish } from '#contracts';
import { collectionKey, subscriptionId } from '#core';
import type { Collection, CollectionSettings, Store } from '#core';
import { downloadDocuments } from '../../../apps/fetcher/src/tree/download-documents.ts';
import { fetchSubscription } from '../../../apps/fetcher/src/fetch-subscription.ts';
import { putCollection } from '../../../apps/gateway/src/collections/put-collection.ts';
import type { GatewayPorts } from '../../../apps/gateway/src/gateway-ports.ts';
import { JobRequests } from '../../../apps/gateway/src/jobs/job-requests.ts';
import { gatewayLimits } from '../../support/gateway-limits.ts';
import { findTree, findTreeFeed } from '../../../apps/gateway/src/tree/find-tree.ts';
import { writeTreeFeed } from '../../../apps/gateway/src/tree/write-tree-feed.ts';
import { finalizeManifest } from '../../../apps/merger/src/finalize-manifest.ts';
import { mirrorTreeFeed } from '../../../apps/merger/src/tree/mirror-tree-feed.ts';
import { publishCollection } from '../../../apps/publisher/src/publish-collection.ts';
import { smallWalk, usualFetch } from '../../support/fetch-settings.ts';

export const treeName = collectionKey('tree');

const publishing = { block: 500, retention: 1000 };
// No progress is reported within a case, so that a block of changes is one of items.
const walking = { ...smallWalk, poll: 16, progress: 3_600_000 };

/**
 * One endpoint with one tree of feeds, in memory, at `http://here.example`. It begins on
 * 2026-01-01T00:00:00Z, and its time is the case's.
 */
export class TreeEndpoint {
  readonly http = createMemoryHttp();
  readonly #queue = createMemoryQueue();
  #time = Date.parse('2026-01-01T00:00:00Z');
  #identifiers = 0;
  readonly #clock = {
    now: () => new Date(this.#time),
    wait: async (milliseconds: number) => {
      this.#time += milliseconds;
      await this.#work();
    },
  };
  /** What clients ask of the endpoint. */
  readonly ports: GatewayPorts = {
    store: createMemoryStore({ clock: this.#clock }),
    jobs: new JobRequests(this.#queue),
    clock: this.#clock,
    fetches: new MemoryFetchHistory(),
    random: { fraction: () => 0, identifier: () => String((this.#identifiers += 1)).padStart(32, '0') },
    publicUrl: 'http://here.example',
    endpointBase: async () => 'here',
    ...gatewayLimits(),
  };

  async open(settings: Pick<CollectionSettings, 'links' | 'refreshOnDemand'> = {}): Promise<void> {
    await putCollection(this.ports, treeName, { protocol: 'cse', title: 'Tree', settings });
  }

  /** From now on it is this time, RFC 3339. */
  set time(dateTime: string) {
    this.#time = Date.parse(dateTime);
  }

  collection(): Promise<Collection> {
    return findTree(this.ports, treeName);
  }

  async publish(): Promise<void> {
    await this.#queue.send([requestPublish(treeName)]);
    await this.#work();
  }

  /** Publishes, and breaks off before this feed gets its new date. */
  async publishUntil(feed: string): Promise<void> {
    const { feeds } = this.ports.store;
    const raise: Store['feeds']['raise'] = (collection, ids, at) =>
      ids.includes(feed) ? Promise.reject(new Error('broken off')) : feeds.raise(collection, ids, at);
    const breaking = new Proxy(feeds, {
      get: (target, name) =>
        name === 'raise' ? raise : (Reflect.get(target, name) as () => unknown).bind(target),
    });
    // Without a backlog of requests: whatever is pending is published.
    const { backlog: _backlog, ...work } = this.#workPorts;
    const ports = { ...work, store: { ...this.ports.store, feeds: breaking } };
    await rejects(publishCollection(ports, publishing, { version: 1, collection: treeName }), {
      message: 'broken off',
    });
  }

  /** Fetches the subscription, and works on all that comes of it. */
  async fetch(subscription: string): Promise<void> {
    const next = { nextFetchAt: this.#clock.now(), nextFetchReason: 'fetched again' };
    await this.ports.store.subscriptions.refresh(treeName, subscriptionId(subscription), next, false);
    await this.#queue.send([
      {
        queue: 'fetch',
        data: { version: 1, collection: treeName, subscription: subscriptionId(subscription) },
      },
    ]);
    await this.#work();
  }

  /** A feed of the tree as it is served. */
  async feedText(id: string): Promise<string> {
    const collection = await this.collection();
    const feed = await findTreeFeed(this.ports, treeName, id);
    let text = '';
    for await (const piece of writeTreeFeed(this.ports, collection, feed)) text += piece.text;
    return text;
  }

  get #workPorts() {
    return {
      ...this.ports,
      queue: this.#queue,
      backlog: this.#queue,
      stream: createMemoryEventStream(),
      http: this.http,
    };
  }

  async #work(): Promise<void> {
    const ports = this.#workPorts;
    const handlers = {
      fetch: (job: Parameters<typeof fetchSubscription>[2]) =>
        fetchSubscription(ports, { ...usualFetch, lease: 30_000, tree: walking }, job),
      download: (job: Parameters<typeof downloadDocuments>[2]) => downloadDocuments(ports, undefined, job),
      mirror: (job: Parameters<typeof mirrorTreeFeed>[1]) => mirrorTreeFeed(ports, job),
      finalize: (job: Parameters<typeof finalizeManifest>[1]) => finalizeManifest(ports, job),
      publish: (job: Parameters<typeof publishCollection>[2]) => publishCollection(ports, publishing, job),
    };
    while (await this.#queue.deliver(handlers));
  }
}
