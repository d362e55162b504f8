import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import { openStore } from '#store';
import type { OpenStore } from '#store';
import { collectionKey, subscriptionId } from '#core';
import type { CollectionKey } from '#core';
import { examineContents } from '../../apps/cli/src/doctor/examine-contents.ts';
import type { Instance } from '../../apps/standalone/src/instance.ts';
import { request } from '../support/request.ts';
import { readTree } from '../support/tree-site/read-mirror.ts';
import type { TreeSize } from '../support/tree-site/tree-plan.ts';
import type { TreeState } from '../support/tree-site/tree-state.ts';
import { until } from '../support/until.ts';
import type { Instances } from '../support/instances.ts';

/** The collection that an instance mirrors a tree into, unless a story has one of its own. */
export const mirror = collectionKey('photos');

/**
 * The size of a tree of 3 levels with 200 feeds, 5,000 items and 20,000 files, or of a part of it:
 * `TREE_SCALE` says which (default: 0.0125).
 */
export function treeSize(): TreeSize {
  const [feeds = 0, items = 0, files = 0] = [200, 5000, 20_000].map((count) =>
    Math.ceil(count * Number(process.env['TREE_SCALE'] || 0.0125)),
  );
  return { feeds, items, files, levels: 3 };
}

/** How long a synchronisation may take before a story fails, in milliseconds. Only stops a hang. */
export const syncLimit = 3_600_000;

/** How long a story may take, in milliseconds: a little longer than its synchronisation. */
export const storyLimit = syncLimit + 600_000;

/** Four services with a database of their own that mirror one tree. */
export class TreeInstance {
  readonly instance: Instance;
  /** What its services were given. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly #store: OpenStore;
  readonly #mirror: CollectionKey;
  /** The digests of files that were read once: their addresses say what they are. */
  readonly #kept = new Map<string, string>();

  constructor(
    instance: Instance,
    environment: TreeInstance['environment'],
    store: OpenStore,
    collection = mirror,
  ) {
    this.instance = instance;
    this.environment = environment;
    this.#store = store;
    this.#mirror = collection;
  }

  /** The same services, with another collection for a tree. */
  into(collection: string): TreeInstance {
    return new TreeInstance(this.instance, this.environment, this.#store, collectionKey(collection));
  }

  /** The URL of the root of its tree. */
  get url(): string {
    return `${this.instance.url}/feeds/${this.#mirror}.rss`;
  }

  async send(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const response = await request(this.instance.url + path, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  }

  /** Begins to mirror the tree at this URL. It is fetched once now, and then when it is asked to. */
  async follow(url: string): Promise<void> {
    await this.send('PUT', `/v1/collections/${this.#mirror}`, { protocol: 'cse', format: 'rss' });
    await this.send('PUT', `/v1/collections/${this.#mirror}/subscriptions/source`, {
      url,
      interval: { minimum: 86_400, maximum: 86_400 },
    });
  }

  /** Has the tree fetched again, and waits until that has ended. */
  async refresh(): Promise<void> {
    await this.fetchedBy(() =>
      this.send('POST', `/v1/collections/${this.#mirror}/subscriptions/source/refresh`),
    );
  }

  /** Does what leads to a fetch, waits until one has ended since, and returns what it came to. */
  async fetchedBy(work: () => Promise<unknown>): Promise<Record<string, unknown>> {
    const before = (
      await this.#store.subscriptions.find(this.#mirror, subscriptionId('source'))
    )?.last?.at.getTime();
    await work();
    const fetched = await until(
      () => this.#store.subscriptions.find(this.#mirror, subscriptionId('source')),
      (subscription) =>
        subscription?.manifest === undefined &&
        subscription?.last !== undefined &&
        subscription.last.at.getTime() !== before,
      syncLimit,
    );
    return { ...fetched?.last };
  }

  /**
   * Waits until the published tree holds this, with every file of it, and the dates of all changes stand at
   * the root.
   */
  async holds(state: TreeState): Promise<void> {
    for (const deadline = Date.now() + syncLimit; ; await wait(500)) {
      const published = await readTree(this.url, this.#kept);
      if (isDeepStrictEqual(published, { state, outdated: [] })) break;
      if (Date.now() > deadline) expect(published).toEqual({ state, outdated: [] });
    }
  }

  /** The id of the item with this identity within the tree. */
  async itemId(guid: string): Promise<string> {
    const [id] = await this.#store.items.withGuid(this.#mirror, guid);
    if (id === undefined) throw new Error(`There is no item ${guid}.`);
    return id;
  }

  /** How many changes of the tree have been published. */
  async published(): Promise<number> {
    return (await this.#store.collections.find(this.#mirror))?.publication.sequence ?? 0;
  }

  /**
   * Waits until nothing is stored that nothing refers to; returns how many contents there are. Throws if
   * one is damaged or missing.
   */
  async withoutOrphans(): Promise<number> {
    const report = await until(
      () => examineContents(this.#store, this.#mirror, () => undefined),
      ({ unreferenced }) => unreferenced.contents === 0,
      syncLimit,
    );
    expect(report.findings).toEqual([]);
    return report.contents;
  }
}

/** Starts one of these instances, whose services have settings of their own besides those of all stories. */
export async function startTree(
  instances: Instances,
  name: string,
  redisUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<TreeInstance> {
  const { instance, environment } = await instances.start(name, redisUrl, {
    LOG_LEVEL: 'error',
    BLOB_GRACE_SECONDS: '1',
    BLOB_PURGE_MS: '1000',
    ...settings,
  });
  const store = await openStore({ uri: instances.mongodbUri(name) });
  instances.atEnd(() => store.close());
  return new TreeInstance(instance, environment, store);
}
