import { payloadFromFields } from '#feed-xml';
import type { Payload } from '#feed-xml';
import { EditError, editItem } from '#items';
import { createMemoryEventStream, createMemoryQueue, createMemoryStore } from '#memory';
import type { MemoryHttp } from '#memory';
import { FetchError } from '#ports';
import type { Chance, Clock, Collection, FeedSyncContent, Store } from '#ports';
import { fetchSubscription } from '../../apps/fetcher/src/fetch-subscription.ts';
import { fetchDue, reconcileManifests } from '../../apps/fetcher/src/reconcile-fetches.ts';
import { composeFeed } from '../../apps/gateway/src/feeds/feed.ts';
import { writeFeed } from '../../apps/gateway/src/feeds/write-feed.ts';
import { mergeBatch } from '../../apps/merger/src/merge-batch.ts';
import { settleManifest } from '../../apps/merger/src/settle-manifest.ts';
import { publishCollection } from '../../apps/publisher/src/publish-collection.ts';
import { publishPending, publishUnrelayed } from '../../apps/publisher/src/reconcile-publications.ts';
import type { Dice } from './dice.ts';
import { CrashError, faulty } from './faulty.ts';

/** How probable each fault is, 0 to 1; all 0 in calm weather. */
export interface Weather {
  /** A job is lost, or delivered twice. */
  lose: number;
  repeat: number;
  /** A process dies at a call of its store, or a fetch breaks off. */
  die: number;
}

/** The world that the endpoints share. */
export interface Surroundings {
  readonly clock: Clock;
  readonly dice: Dice;
  readonly http: MemoryHttp;
  readonly weather: Weather;
}

const name = 'todo';
const settings = {
  fetch: { batch: { items: 3, characters: 10_000, backlog: 50 }, claim: 30_000, markupLength: 1000 },
  reconcile: { patience: 60_000, longestPatience: 600_000, limit: 100 },
  publish: { block: 4, lease: 15_000, retention: 1000 },
};

/** A whole Feedmesh, its four services and its databases, in one thread. */
export class SimulatedEndpoint {
  /** What is kept; survives every crash. */
  readonly store: Store;
  readonly events = createMemoryEventStream();
  readonly #queue;
  readonly #ports;

  constructor(readonly label: string, private readonly world: Surroundings) {
    const { clock, dice, http, weather } = world;
    const dies = (): boolean => weather.die > 0 && dice.fraction() < weather.die;
    const chance: Chance = { fraction: dice.fraction, identifier: dice.identifier };
    this.store = createMemoryStore({ clock });
    this.#queue = createMemoryQueue({ fraction: dice.fraction, get lose() { return weather.lose; }, get repeat() { return weather.repeat; } });
    this.#ports = { store: faulty(this.store, dies), queue: faulty(this.#queue, dies), stream: faulty(this.events, dies), http, clock, chance, publicUrl: this.url, holder: label, now: () => clock.now() };
    for (const variant of ['partial', 'complete'] as const) http.serve(this.feedUrl(variant), () => this.#serveFeed(variant));
  }

  get url(): string {
    return `http://${this.label}.example`;
  }

  feedUrl(variant: 'partial' | 'complete'): string {
    return variant === 'partial' ? `${this.url}/feeds/${name}.atom` : `${this.url}/feeds/${name}/complete.atom`;
  }

  async open(windowItems: number): Promise<void> {
    await this.store.collections.create({
      name, protocol: 'feedsync', format: 'atom', title: this.label, endpoint: `endpoint:${this.label}`,
      settings: { windowItems, expiresAfter: 10, cleanUpHistory: this.world.dice.fraction() < 0.3 },
      publication: { sequence: 0, since: 0, relayed: 0 }, createdAt: this.world.clock.now(),
    });
  }

  async subscribe(other: SimulatedEndpoint): Promise<void> {
    const now = this.world.clock.now();
    await this.store.subscriptions.put({
      collection: name, id: other.label, url: other.feedUrl('partial'), status: 'active', interval: { minimum: 5, maximum: 60 },
      cursor: {}, cursorVersion: 0, nextFetchAt: now, nextFetchReason: 'new', failures: 0, createdAt: now,
    });
  }

  /** One random local edit; one that does not fit the item's state is given up. */
  async edit(id: string): Promise<void> {
    const { dice } = this.world;
    const payload = payloadFromFields('atom', { title: `${id} by ${this.label} ${dice.below(1000)}`, content: 'milk' });
    const edits = [{ action: 'create', id, payload }, { action: 'update', payload }, { action: 'update', payload }, { action: 'delete' }, { action: 'undelete', payload }, { action: 'resolve', keep: 'winner' }] as const;
    try {
      await editItem(this.#ports, await this.#collection(), id, dice.pick(edits));
    } catch (error) {
      if (!(error instanceof EditError || error instanceof CrashError || (error as Error).name === 'ResolutionError')) throw error;
    }
  }

  /** Removes one published item for good, as a publisher may (FeedSync 4.2.4). */
  async purge(id: string): Promise<void> {
    const item = (await this.store.items.load(name, [id])).get(id);
    if (item?.sequence === undefined || item.announced?.revision !== item.revision) return;
    await this.store.collections.raiseSince(name, item.sequence);
    await this.store.items.remove(name, [item]);
  }

  /** Looks at what is due, interrupted and pending, as the services do from time to time. */
  async reconcile(): Promise<void> {
    await this.#live(() => fetchDue(this.#ports, settings.reconcile));
    await this.#live(() => reconcileManifests(this.#ports, settings.reconcile));
    await this.#live(() => publishPending(this.#ports));
    await this.#live(() => publishUnrelayed(this.#ports));
  }

  /** Delivers one job; answers false where none waits. */
  async deliver(): Promise<boolean> {
    const ports = this.#ports;
    return this.#live(() => this.#queue.deliver({
      fetch: (job) => fetchSubscription(ports, settings.fetch, job),
      merge: (job) => mergeBatch(ports, job),
      settle: (job) => settleManifest(ports, job),
      publish: (job) => publishCollection(ports, settings.publish, job),
    }));
  }

  /** Every item as all endpoints must have it. */
  async items(): Promise<unknown[]> {
    const items = await this.store.items.list(name, { limit: 1000 });
    return items.map(({ content }) => content as FeedSyncContent).map(({ sync, data, conflicts }) => ({
      ...version(sync),
      data: sharedData(data),
      conflicts: conflicts.map((conflict) => ({ ...version(conflict.sync), data: sharedData(conflict.data) })),
    }));
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
    const collection = await this.store.collections.find(name);
    if (collection === undefined) throw new Error(`${this.label} has no collection`);
    return collection;
  }

  async #serveFeed(variant: 'partial' | 'complete') {
    const { weather, dice, clock } = this.world;
    if (weather.die > 0 && dice.fraction() < 0.1) throw new FetchError('connection', 'the network is down');
    const feed = composeFeed(await this.#collection(), variant, undefined, this.url, clock.now());
    let body = '';
    for await (const text of writeFeed(feed, this.store.items.published(name, feed.since))) body += text;
    if (weather.die > 0 && dice.fraction() < 0.1) body = body.slice(0, dice.below(body.length));
    return { status: 200, headers: { etag: feed.etag, 'content-type': 'application/atom+xml' }, body };
  }
}

/** What every endpoint must agree on (Implementation Notes, Note 1). */
function sharedData({ children }: Payload): string[] {
  return children.filter((child) => child.name === 'title' || child.name === 'content').map(({ xml }) => xml);
}

/** A version by what decides: its number of updates and what is known of each endpoint (a cleaned-up history says the same). */
function version({ id, updates, deleted, history }: { id: string; updates: number; deleted: boolean; history: readonly { sequence: number; when?: string; by?: string }[] }) {
  const known = new Map<string, number>();
  for (const { by = '', sequence } of history) known.set(by, Math.max(known.get(by) ?? 0, sequence));
  return { id, updates, deleted, topmost: history[0], known: [...known].toSorted(([a], [b]) => (a < b ? -1 : 1)) };
}
