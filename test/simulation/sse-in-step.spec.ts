import { describe, expect, test } from '@jest/globals';
import { payloadFromFields } from '#xml';
import { createMemoryHttp } from '#in-memory';
import { itemId, sharedContent } from '#core';
import type { SseContent } from '#sse';
import type { StoredItem } from '#core';
import { Dice } from './dice.ts';
import { FeedWatch } from './feed-watch.ts';
import type { Kind } from './kind.ts';
import { runUntilQuiet } from './run-until-quiet.ts';
import { SimulatedEndpoint } from './simulated-endpoint.ts';
import type { Weather } from './surroundings.ts';
import { sseKind } from './sse-kind.ts';

/** More seeds, and other ones, by the environment: `SIMULATION_SEEDS=1000 SIMULATION_FIRST_SEED=5000`. */
const first = Number(process.env['SIMULATION_FIRST_SEED'] ?? 1);
const seeds = Array.from(
  { length: Number(process.env['SIMULATION_SEEDS'] ?? 2) },
  (_, index) => first + index,
);

interface World {
  readonly endpoints: readonly SimulatedEndpoint[];
  /** Every item that an endpoint ever had. */
  readonly met: ReadonlySet<string>;
  /** Lets so many things happen in bad weather, with edits among them or without. */
  readonly live: (steps: number, isEdited: boolean) => Promise<void>;
  /** Lets the weather clear up and everybody come to rest. */
  readonly rest: () => Promise<void>;
}

async function open(seed: number, count: number, kind: Kind): Promise<World> {
  const dice = new Dice(seed);
  let time = Date.parse('2026-01-01T00:00:00Z');
  const clock = {
    now: () => new Date(time),
    wait: async (milliseconds: number) => void (time += milliseconds),
  };
  const weather: Weather = { lose: 0, repeat: 0, die: 0, interrupt: 0 };
  const world = { clock, dice, http: createMemoryHttp(), weather, kind, watch: new FeedWatch().see };
  const endpoints = Array.from(
    { length: count },
    (_, index) => new SimulatedEndpoint('abcdef'.charAt(index), world),
  );
  const met = new Set<string>();
  for (const endpoint of endpoints) {
    await endpoint.open(dice.pick([2, 3, 5, 1000]));
    for (const other of endpoints) if (other !== endpoint) await endpoint.subscribe(other);
  }
  return {
    endpoints,
    met,
    async live(steps, isEdited) {
      Object.assign(weather, { lose: 0.1, repeat: 0.1, die: 0.02, interrupt: isEdited ? 0.02 : 0 });
      for (let step = 0; step < steps; step += 1) {
        time += dice.below(2000);
        const endpoint = dice.pick(endpoints);
        const what = dice.fraction();
        if (what < 0.2 && isEdited)
          await (what < 0.03 && kind.format === 'opml'
            ? moveIntoOneAnother(endpoints, dice)
            : endpoint.edit(dice.pick(kind.ids)));
        else if (what < 0.35) await endpoint.reconcile();
        else await endpoint.deliver();
        for (const { id } of await endpoint.stored()) met.add(id);
      }
    },
    async rest() {
      Object.assign(weather, { lose: 0, repeat: 0, die: 0, interrupt: 0 });
      await runUntilQuiet(endpoints, () => {
        time += 61_000;
      });
    },
  };
}

async function simulate(seed: number, count: number, kind: Kind): Promise<World> {
  const world = await open(seed, count, kind);
  await world.live(400, true);
  await world.rest();
  return world;
}

/** How many seeds are looked at in other ways too, once simulated. */
const sharedSeeds = 3;

/** Simulates what several tests look at, which nobody changes any more, once for all of them. */
function simulationOf(kind: Kind): (seed: number, count: number) => Promise<World> {
  const shared = new Map<string, Promise<World>>();
  return (seed, count) => {
    const key = `${seed} ${count}`;
    const world = shared.get(key) ?? simulate(seed, count, kind);
    if (count === 2 && seeds.indexOf(seed) < sharedSeeds) shared.set(key, world);
    return world;
  };
}

/**
 * Two endpoints move two outlines at the same time, each into the other; if one stands in the other
 * already that is refused.
 */
async function moveIntoOneAnother(endpoints: readonly SimulatedEndpoint[], dice: Dice): Promise<void> {
  const one = dice.pick(endpoints);
  const two = dice.pick(endpoints.filter((endpoint) => endpoint !== one));
  const [here, there] = await Promise.all(
    [one, two].map(async (endpoint) =>
      (await endpoint.stored()).filter(({ deleted }) => !deleted).map(({ id }) => id),
    ),
  );
  const live = (here ?? []).filter((id) => there?.includes(id));
  if (live.length === 0) return;
  const [x, y] = [dice.pick(live), dice.pick(live)];
  await one.perform(x, { action: 'update', place: { parent: y } });
  await two.perform(y, { action: 'update', place: { parent: x } });
}

/** The ids from an item up to the root; ends if one is missing, or met again. */
function wayUp(id: string, items: ReadonlyMap<string, StoredItem>): { way: string[]; endsAtRoot: boolean } {
  const way: string[] = [];
  let at: string | undefined = id;
  for (; at !== undefined && !way.includes(at) && items.has(at); at = items.get(at)?.position?.parent)
    way.push(at);
  return { way, endsAtRoot: at === undefined };
}

describe.each([
  ['items of RSS', sseKind({ format: 'rss' }), false],
  ['ordered items of RSS', sseKind({ format: 'rss', ordered: true }), true],
  ['outlines', sseKind({ format: 'opml' }), true],
] as const)(
  '%s at endpoints with jobs lost, repeated and reordered, and processes that die',
  (_name, kind, isOrdered) => {
    const simulateOnce = simulationOf(kind);
    describe.each([2, 3])('%i of them', (count) => {
      test.each(seeds)('end with equal items in equal places, and none is lost (seed %i)', async (seed) => {
        const { endpoints, met } = await simulateOnce(seed, count);
        const [one, ...others] = endpoints;
        const expected = await one?.items();
        for (const other of others) expect(await other.items()).toEqual(expected);
        for (const endpoint of endpoints)
          expect(await endpoint.store.deadLetters.list({ limit: 1 })).toEqual([]);
        const items = new Map((await one?.stored())?.map((item) => [item.id, item]));
        expect(new Set(items.keys())).toEqual(met);
        expect(met.size).toBeGreaterThan(0);
        for (const { id, position, content } of items.values()) {
          expect(position?.key !== undefined && position.after === undefined).toBe(isOrdered);
          expect(sharedContent(content).sync.id).toBe(id);
          expect(wayUp(id, items)).toMatchObject({ endsAtRoot: true });
        }
      });
    });

    test('fall out of the window of one another, read the complete feed and discard nothing', async () => {
      const worlds = await Promise.all(seeds.slice(0, sharedSeeds).map((seed) => simulateOnce(seed, 2)));
      const events = worlds.flatMap(({ endpoints }) => endpoints.flatMap(({ events }) => events.events));
      const resynced = events.filter((event) => event.type === 'feedmesh.subscription.resynced.v1');
      expect(resynced.length).toBeGreaterThan(0);
      expect(new Set(resynced.map(({ data }) => data.discarded))).toEqual(new Set([0]));
    });
  },
);

test.each(seeds)(
  'outlines that two endpoints move into one another end with the lower id at the root, in conflict ' +
    '(seed %i)',
  async (seed) => {
    const { endpoints, live, rest } = await simulate(seed, 3, sseKind({ format: 'opml' }));
    const [one, two] = endpoints;
    const payload = payloadFromFields('opml', { attributes: { text: 'new' } });
    for (const id of ['x', 'y']) await one?.perform(id, { action: 'create', id: itemId(id), payload });
    await rest();
    await one?.perform('x', { action: 'update', place: { parent: 'y' } });
    await two?.perform('y', { action: 'update', place: { parent: 'x' } });
    await live(100, false);
    await rest();
    for (const endpoint of endpoints) {
      const found = (await endpoint.stored()).filter(({ id }) => id === 'x' || id === 'y');
      expect(
        found.map(({ position, content }) => [
          position?.parent,
          (content as SseContent).sync.conflict,
          (content as SseContent).conflicts,
        ]),
      ).toEqual([
        [undefined, true, []],
        ['x', false, []],
      ]);
    }
  },
);
