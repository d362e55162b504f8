import { describe, expect, test } from '@jest/globals';
import { createMemoryEventStream, createMemoryStore, sampleCollection } from '#in-memory';
import { collectionKey, EditError, itemId, pagesOf } from '#core';
import type { Collection, Store } from '#core';
import { editItem } from '#items';
import { payloadFromFields } from '#xml';
import { publishCollection } from '../../apps/publisher/src/publish-collection.ts';
import { feedPurge } from '../../apps/publisher/src/purge-feeds.ts';
import { Dice } from './dice.ts';

const first = Number(process.env['SIMULATION_FIRST_SEED'] ?? 1);
const seeds = Array.from(
  { length: Number(process.env['SIMULATION_SEEDS'] ?? 12) },
  (_, index) => first + index,
);
const key = collectionKey('todo');
const publicUrl = 'http://here.example';
const ids = ['a', 'b', 'c', 'd', 'e', 'f'].map(itemId);

/** A publisher, with a purge of its own or one that looks at every collection each time. */
class Publisher {
  readonly store: Store;
  readonly #purge;
  readonly #purged: Store;

  constructor(
    private readonly clock: { now(): Date; wait(): Promise<void> },
    looksAtAll: boolean,
  ) {
    this.store = createMemoryStore({ clock });
    this.#purge = feedPurge(clock, 3);
    this.#purged = looksAtAll ? this.#with('collections', { duePurges: () => this.#all() }) : this.store;
  }

  async collection(): Promise<Collection> {
    const found = await this.store.collections.find(key);
    if (found === undefined) throw new Error('there is no collection');
    return found;
  }

  async edit(dice: Dice): Promise<void> {
    const [id, action] = [dice.pick(ids), dice.pick(['create', 'update', 'delete', 'undelete'] as const)];
    const collection = await this.collection();
    const { format } = collection;
    const payload = payloadFromFields(format === 'rss' ? 'rss' : 'atom', {
      title: `${id} ${dice.fraction()}`,
    });
    const edit = action === 'create' ? { action, id, payload } : { action, payload };
    try {
      await editItem({ store: this.store, now: () => this.clock.now(), publicUrl }, collection, id, edit);
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
    }
  }

  /** @param dies whether it gets no further than to the items */
  async publish(dies = false): Promise<void> {
    const follow = (): never => {
      throw new Error('the publisher dies');
    };
    const ports = {
      store: dies ? this.#with('collections', { follow }) : this.store,
      stream: createMemoryEventStream(),
      clock: this.clock,
      publicUrl,
    };
    const settings = { block: 4, retention: 1000 };
    await publishCollection(ports, settings, { version: 1, collection: key }).catch((error: Error) => {
      if (error.message !== 'the publisher dies') throw error;
    });
  }

  /** Discards an item as a resync does (FeedSync 4.1.2). */
  async discard(dice: Dice): Promise<void> {
    const [item] = (await this.store.items.load(key, [dice.pick(ids)])).values();
    if (item?.sequence === undefined) return;
    await this.store.collections.raiseSince(key, item.sequence);
    await this.store.items.remove(key, [item]);
  }

  async change(settings: Partial<Collection['settings']>): Promise<void> {
    const collection = await this.collection();
    await this.store.collections.update(key, {
      title: '',
      settings: { ...collection.settings, ...settings },
    });
  }

  /** So often that what was announced by the first run is removed by the last. */
  async purge(): Promise<void> {
    for (let run = 0; run < 4; run += 1) await this.#purge({ store: this.#purged });
  }

  async state(): Promise<unknown> {
    const { publication } = await this.collection();
    const items = await this.store.items.list(key, { limit: 100 });
    return { publication, items: items.map(({ id, sequence, deleted }) => ({ id, sequence, deleted })) };
  }

  #all(): AsyncIterable<readonly Collection[]> {
    return pagesOf(
      (page) => this.store.collections.list(page),
      (collection) => collection.key,
      10,
    );
  }

  #with<Port extends keyof Store>(port: Port, methods: Partial<Store[Port]>): Store {
    const replaced = new Proxy(this.store[port], {
      get(target, name) {
        const value: unknown = Reflect.get(name in methods ? methods : target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    return { ...this.store, [port]: replaced };
  }
}

async function story(protocol: 'feedsync' | 'sse', seed: number): Promise<void> {
  const dice = new Dice(seed);
  let time = Date.parse('2026-01-01T00:00:00Z');
  const clock = { now: () => new Date(time), wait: () => Promise.resolve() };
  const settings = {
    windowItems: dice.pick([1, 3, 1000]),
    expiresAfter: 60,
    cleanUpHistory: false,
    ...(dice.fraction() < 0.5 && { windowLimit: dice.pick([3, 5, 10]) }),
    ...(dice.fraction() < 0.5 && { windowAge: dice.pick([60, 120]) }),
    ...(dice.fraction() < 0.5 && { tombstoneAge: dice.pick([60, 90, 200]) }),
  };
  const [one, reference] = [new Publisher(clock, false), new Publisher(clock, true)];
  const both = [one, reference];
  for (const { store } of both)
    await store.collections.create(
      sampleCollection({
        key,
        protocol,
        format: protocol === 'sse' ? 'rss' : 'atom',
        title: '',
        endpoint: 'endpoint:here',
        settings,
        createdAt: clock.now(),
      }),
    );
  /** The same for both, with the same dice. */
  const each = async (act: (publisher: Publisher, dice: Dice) => Promise<void>): Promise<void> => {
    const seedOfBoth = dice.below(1e9);
    for (const publisher of both) await act(publisher, new Dice(seedOfBoth));
  };
  for (let step = 0; step < 150; step += 1) {
    const what = dice.fraction();
    if (what < 0.4) await each((publisher, same) => publisher.edit(same));
    else if (what < 0.6) await each((publisher) => publisher.publish());
    else if (what < 0.63) await each((publisher) => publisher.publish(true));
    else if (what < 0.66) await each((publisher, same) => publisher.discard(same));
    else if (what < 0.69)
      await each((publisher, same) =>
        publisher.change({
          windowItems: same.pick([1, 3, 1000]),
          windowAge: same.pick([60, 120, 10_000]),
          tombstoneAge: same.pick([60, 90, 10_000]),
        }),
      );
    else if (what < 0.85) time += dice.pick([1, 999, 1000, 30_000, 59_999, 60_000, 90_000]);
    else {
      await each((publisher) => publisher.purge());
      // What is ahead of the publication, after a publisher died, the reference sees first.
      await each((publisher) => publisher.publish());
      await each((publisher) => publisher.purge());
      expect(await one.state()).toEqual(await reference.state());
    }
  }
}

describe.each(['feedsync', 'sse'] as const)('of a collection of %s', (protocol) => {
  test.each(seeds)(
    'a purge of what is due leaves what one that looks at everything leaves (seed %i)',
    async (seed) => {
      await story(protocol, seed);
    },
  );
});
