import { expect, test } from '@jest/globals';
import { createMemoryHttp } from '#in-memory';
import { collectionKey, itemId, sharedContent } from '#core';
import type { FeedSyncContent } from '#feedsync';
import type { StoredItem } from '#core';
import { Dice } from './dice.ts';
import { SimulatedEndpoint } from './simulated-endpoint.ts';
import type { Weather } from './surroundings.ts';

/** More seeds, and other ones, by the environment: `SIMULATION_SEEDS=1000 SIMULATION_FIRST_SEED=5000`. */
const first = Number(process.env['SIMULATION_FIRST_SEED'] ?? 1);
const seeds = Array.from(
  { length: Number(process.env['SIMULATION_SEEDS'] ?? 12) },
  (_, index) => first + index,
);

/**
 * What the publisher edits and keeps, what it may remove at any time, what it removes in the end, and what
 * the reader edits.
 */
const [staying, passing, leaving, owned] = ['abcdef', 'ghijkl', 'st', 'xy'].map((letters) =>
  letters.split(''),
) as [string[], string[], string[], string[]];

const itemsOf = (endpoint: SimulatedEndpoint): Promise<StoredItem[]> =>
  endpoint.store.items.list(collectionKey('todo'), { limit: 1000 });
const versionsOf = (content: FeedSyncContent): FeedSyncContent[] => [content, ...content.conflicts];
const isTouchedBy = ({ content }: StoredItem, by: string): boolean =>
  versionsOf(content as FeedSyncContent).some(({ sync: { history } }) =>
    history.some((entry) => entry.by === by),
  );

test.each(seeds)(
  "a reader of a publisher that removes items ends with the publisher's items and its own, and never " +
    'lacks one that was always there (seed %i)',
  async (seed) => {
    const dice = new Dice(seed);
    let time = Date.parse('2026-01-01T00:00:00Z');
    const clock = {
      now: () => new Date(time),
      wait: async (milliseconds: number) => void (time += milliseconds),
    };
    const weather: Weather = { lose: 0.1, repeat: 0.1, die: 0.02, interrupt: 0 };
    const world = { clock, dice, http: createMemoryHttp(), weather };
    const [publisher, reader] = [new SimulatedEndpoint('p', world), new SimulatedEndpoint('r', world)];
    await publisher.open(2);
    await reader.open(1000);
    await reader.subscribe(publisher);
    const present = new Set([...staying, ...passing]);
    /** Edits an item of the publisher until it has changed. */
    const edit = async (id: string): Promise<void> => {
      const revision = async () => (await itemsOf(publisher)).find((item) => item.id === id)?.revision;
      const before = await revision();
      while ((await revision()) === before) await publisher.edit(id);
    };
    for (const id of leaving) await edit(id);

    /**
     * What the reader has and must go on having: its own, and what it once had of the items that the
     * publisher keeps.
     */
    const lasting = new Set<string>();
    const look = async (): Promise<void> => {
      const held = new Set((await itemsOf(reader)).map(({ id }) => id));
      for (const id of lasting) expect(held).toContain(id);
      for (const id of held) if ([...owned, ...staying].includes(id)) lasting.add(id);
    };
    const rest = async (endpoints: readonly SimulatedEndpoint[]): Promise<void> => {
      for (let round = 0; round < 30; round += 1) {
        time += 61_000;
        for (const endpoint of endpoints) {
          await endpoint.reconcile();
          while (await endpoint.deliver());
        }
      }
    };

    for (let step = 0; step < 600; step += 1) {
      time += dice.below(2000);
      const what = dice.fraction();
      if (what < 0.15) await publisher.edit(dice.pick([...present]));
      else if (what < 0.17) {
        // What is removed for good is never made again under the same id.
        const id = dice.pick(passing);
        present.delete(id);
        await publisher.purge(itemId(id));
      } else if (what < 0.25) await reader.edit(dice.pick(owned));
      else if (what < 0.4) await dice.pick([publisher, reader]).reconcile();
      else await dice.pick([publisher, reader]).deliver();
      await look();
    }
    Object.assign(weather, { lose: 0, repeat: 0, die: 0, interrupt: 0 });
    await rest([publisher, reader]);
    expect((await itemsOf(reader)).map(({ id }) => id)).toEqual(expect.arrayContaining(leaving));
    // While the reader sleeps, more happens than the window of two holds.
    for (const id of leaving) await publisher.purge(itemId(id));
    for (const wave of [staying.slice(0, 3), staying.slice(3)]) {
      for (const id of wave) await edit(id);
      await rest([publisher]);
    }
    await rest([reader]);
    await look();

    const [theirs, ours] = [await itemsOf(publisher), await itemsOf(reader)];
    const version = ({ id, content }: StoredItem) => ({ id, sync: sharedContent(content).sync });
    expect(ours.filter((item) => !isTouchedBy(item, 'endpoint:r')).map(version)).toEqual(theirs.map(version));
    expect(
      ours
        .filter((item) => isTouchedBy(item, 'endpoint:r'))
        .map(({ id }) => id)
        .filter((id) => !owned.includes(id)),
    ).toEqual([]);
    const discarded = reader.events.events.map((event) =>
      event.type === 'feedmesh.subscription.resynced.v1' ? event.data.discarded : 0,
    );
    expect(discarded.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(leaving.length);
  },
);
