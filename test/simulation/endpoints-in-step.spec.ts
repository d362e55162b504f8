import { describe, expect, test } from '@jest/globals';
import { createMemoryHttp } from '#in-memory';
import { collectionKey } from '#core';
import { Dice } from './dice.ts';
import { feedsyncKind } from './feedsync-kind.ts';
import { runUntilQuiet } from './run-until-quiet.ts';
import { SimulatedEndpoint } from './simulated-endpoint.ts';
import type { Weather } from './surroundings.ts';

/** More seeds, and other ones, by the environment: `SIMULATION_SEEDS=1000 SIMULATION_FIRST_SEED=5000`. */
const first = Number(process.env['SIMULATION_FIRST_SEED'] ?? 1);
const seeds = Array.from(
  { length: Number(process.env['SIMULATION_SEEDS'] ?? 12) },
  (_, index) => first + index,
);

async function simulate(seed: number, count: number): Promise<SimulatedEndpoint[]> {
  const dice = new Dice(seed);
  let time = Date.parse('2026-01-01T00:00:00Z');
  const clock = {
    now: () => new Date(time),
    wait: async (milliseconds: number) => void (time += milliseconds),
  };
  const weather: Weather = { lose: 0.1, repeat: 0.1, die: 0.02, interrupt: 0.02 };
  const world = { clock, dice, http: createMemoryHttp(), weather };
  const endpoints = Array.from(
    { length: count },
    (_, index) => new SimulatedEndpoint('abcdef'.charAt(index), world),
  );
  for (const endpoint of endpoints) {
    await endpoint.open(dice.pick([2, 5, 1000]));
    for (const other of endpoints) if (other !== endpoint) await endpoint.subscribe(other);
  }
  for (let step = 0; step < 400; step += 1) {
    time += dice.below(2000);
    const endpoint = dice.pick(endpoints);
    const what = dice.fraction();
    if (what < 0.15) await endpoint.edit(dice.pick(feedsyncKind.ids));
    else if (what < 0.3) await endpoint.reconcile();
    else await endpoint.deliver();
  }
  Object.assign(weather, { lose: 0, repeat: 0, die: 0, interrupt: 0 });
  await runUntilQuiet(endpoints, () => {
    time += 61_000;
  });
  return endpoints;
}

/** How many seeds are looked at in other ways too, once simulated. */
const sharedSeeds = 10;
const shared = new Map<string, Promise<SimulatedEndpoint[]>>();

/** The endpoints of a seed at the end, simulated once for all tests; nobody changes them any more. */
function simulateOnce(seed: number, count: number): Promise<SimulatedEndpoint[]> {
  const key = `${seed} ${count}`;
  const endpoints = shared.get(key) ?? simulate(seed, count);
  if (seeds.indexOf(seed) < sharedSeeds) shared.set(key, endpoints);
  return endpoints;
}

describe.each([2, 3])(
  '%i endpoints, with jobs lost, repeated and reordered, and processes that die',
  (count) => {
    test.each(seeds)('end with equal item sets (seed %i)', async (seed) => {
      const [one, ...others] = await simulateOnce(seed, count);
      const expected = await one?.items();
      expect(expected).not.toHaveLength(0);
      for (const other of others) expect(await other.items()).toEqual(expected);
      // Nor did anybody take its own versions for those of someone else.
      for (const endpoint of [one, ...others])
        expect(await endpoint?.store.deadLetters.list({ limit: 1 })).toEqual([]);
    });

    test.each(seeds.slice(0, sharedSeeds))(
      'announce every change in order, as 1 to n (seed %i)',
      async (seed) => {
        for (const endpoint of await simulateOnce(seed, count)) {
          const collection = await endpoint.store.collections.find(collectionKey('todo'));
          const sequences = endpoint.events.events.map(({ sequence }) => Number(sequence));
          const { sequence: length = 0 } = collection?.publication ?? {};
          expect(sequences).toEqual(Array.from({ length }, (_, index) => index + 1));
          expect(collection?.publication.relayed).toBe(collection?.publication.sequence);
          for (const item of await endpoint.store.items.list(collectionKey('todo'), { limit: 1000 })) {
            expect(item.announced?.revision).toBe(item.revision);
            const last = endpoint.events.events.findLast(
              ({ subject, type }) => subject === item.id && type.startsWith('feedmesh.item.'),
            );
            expect(last?.data).toMatchObject({
              updates: item.version.updates,
              deleted: item.deleted,
              conflictCount: item.conflictCount,
            });
          }
        }
      },
    );

    test('fall out of the window of one another and catch up', async () => {
      const endpoints = (
        await Promise.all(seeds.slice(0, sharedSeeds).map((seed) => simulateOnce(seed, count)))
      ).flat();
      expect(endpoints.flatMap(({ events }) => events.events.map(({ type }) => type))).toContain(
        'feedmesh.subscription.resynced.v1',
      );
    });
  },
);
