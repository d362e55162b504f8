import { expect, test } from '@jest/globals';
import { expectDocuments, expectRest } from './tree-rest.ts';
import { TreeSource } from './tree-source.ts';
import { viewTree } from './tree-view.ts';
import { TreeWatch } from './tree-watch.ts';
import { TreeWorld } from './tree-world.ts';

/** More seeds, and other ones, by the environment: `SIMULATION_SEEDS=1000 SIMULATION_FIRST_SEED=5000`. */
const first = Number(process.env['SIMULATION_FIRST_SEED'] ?? 1);
const seeds = Array.from(
  { length: Number(process.env['SIMULATION_SEEDS'] ?? 2) },
  (_, index) => first + index,
);

/** Many changes, then a few after everybody has come to rest, which are to be found by their dates alone. */
const phases = [2500, 50, 50, 50, 50];

test.each(seeds)(
  'a mirror, a mirror of it and their plain readers show nothing that was never so, and end with the ' +
    'tree of the source (seed %i)',
  async (seed) => {
    const world = new TreeWorld(seed);
    const source = new TreeSource(world.dice, world.time);
    world.network.serve(source.host, (url) => source.answer(url));
    for (let count = 0; count < 25; count += 1) source.change();
    const one = await world.open('one', source.root);
    const two = await world.open('two', one.root);
    const watch = new TreeWatch(one, world, source.wasThere);
    const watches = [watch, new TreeWatch(two, world, watch.had)];
    const readers = [one, one, two].map(({ root }) => world.reader(root));
    const look = async (): Promise<void> => {
      for (const one of watches) await one.look();
    };
    for (const steps of phases) {
      source.change();
      await world.live(steps, () => source.change(), look);
      source.repair();
      await world.rest();
      await look();
      const expected = await world.view(source.root);
      expect(await world.view(one.root)).toEqual(expected);
      expect(await world.view(two.root)).toEqual(expected);
      for (const reader of readers) {
        await reader.sync();
        expect(await viewTree(reader.root, reader.kept)).toEqual(expected);
      }
      for (const endpoint of [one, two]) await expectRest(endpoint);
      await expectDocuments(one, source.root, world.text);
      await expectDocuments(two, one.root, world.text);
    }
  },
);
