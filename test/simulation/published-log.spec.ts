import { expect, test } from '@jest/globals';
import { formatCursor } from '#contracts';
import type { ChangeEvent } from '#contracts';
import type { StoredItem } from '#core';
import { key, LogWorld } from './log-world.ts';

/** More seeds, and other ones, by the environment: `SIMULATION_SEEDS=5000 SIMULATION_FIRST_SEED=5000`. */
const first = Number(process.env['SIMULATION_FIRST_SEED'] ?? 1);
const seeds = Number(process.env['SIMULATION_SEEDS'] ?? 100);
const steps = 150;

/** A reader that goes by a cursor, and one that goes by `since` of the feed. */
class Readers {
  readonly changes: ChangeEvent[] = [];
  readonly items = new Map<string, number>();
  #since = 0;

  constructor(private readonly world: LogWorld) {}

  async read(): Promise<void> {
    const { store, threads } = this.world;
    const { sequence } = (await this.world.collection()).publication;
    await threads.pause();
    for await (const item of store.items.published(key, this.#since)) {
      // What was published since then is read the next time.
      if (item.sequence <= sequence) this.items.set(item.id, item.sequence);
    }
    this.#since = sequence;
    const last = Number(this.changes.at(-1)?.sequence ?? 0);
    this.changes.push(...(await store.changes.read(key, last, 4)));
  }
}

/** What is in the log and what items say of it fit at every moment. */
async function expectInStep(world: LogWorld): Promise<ChangeEvent[]> {
  const { store } = world;
  const { publication } = await world.collection();
  const logged = await store.changes.read(key, 0, 100_000);
  expect(logged.map(({ sequence }) => Number(sequence))).toEqual(logged.map((_, place) => place + 1));
  expect(publication.sequence).toBe(logged.length);
  expect(publication.relayed).toBeLessThanOrEqual(publication.sequence);
  const last = new Map(logged.map(({ subject, sequence }) => [subject, Number(sequence)]));
  for (const { id, sequence } of await store.items.list(key, { limit: 100 }))
    expect([id, sequence]).toEqual([id, last.get(id)]);
  const blocks = await store.changes.blocks(key, 0, Infinity);
  const times = blocks.map(({ at }) => at.getTime());
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  return logged;
}

/** Lets writers, publishers and readers live for a while, and come to rest. */
async function live(seed: number): Promise<void> {
  const world = new LogWorld(seed);
  await world.open();
  const readers = new Readers(world);
  const begin = [
    () => world.write(),
    () => world.write(),
    () => world.write(),
    () => world.follow(),
    () => world.threads.start(() => readers.read()),
  ];
  for (let step = 0; step < steps; step += 1) {
    const { dice } = world;
    if (dice.fraction() < 0.3 && world.threads.running < 8) dice.pick(begin)();
    if (dice.fraction() < 0.005) world.publishAgain();
    if (dice.fraction() < 0.005) world.loseStream();
    await world.step();
    if (step % 5 === 0) await expectInStep(world);
  }
  await world.rest();
  const logged = await expectInStep(world);
  for (let read = -1; readers.changes.length > read;) {
    read = readers.changes.length;
    world.threads.start(() => readers.read());
    while (world.threads.running > 0) await world.step();
  }
  expect(readers.changes).toEqual(logged);
  const stored: StoredItem[] = await world.store.items.list(key, { limit: 100 });
  expect(stored.filter(({ revision, announced }) => announced?.revision !== revision)).toEqual([]);
  expect(Object.fromEntries(readers.items)).toEqual(
    Object.fromEntries(stored.map(({ id, sequence }) => [id, sequence])),
  );
  expect((await world.collection()).publication.relayed).toBe(logged.length);
  const relayed = world.stream.events.map(({ sequence }) => sequence);
  // What was lost with Redis leaves a gap, which consumers fill from the log.
  expect(relayed).toEqual([...new Set(relayed)].toSorted());
  if (!world.hasLost) expect(relayed).toEqual(logged.map((_, place) => formatCursor(place + 1)));
}

test(`the log, its items, its readers and its events stay in step (${seeds} seeds)`, async () => {
  for (let seed = first; seed < first + seeds; seed += 1)
    await live(seed).catch((error: unknown) => {
      throw new Error(`seed ${seed}`, { cause: error });
    });
});
