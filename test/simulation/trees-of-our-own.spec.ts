import { expect, test } from '@jest/globals';
import { itemId } from '#core';
import { TreeEditor } from './tree-editor.ts';
import { tree } from './tree-endpoint.ts';
import { expectDocuments, expectRest } from './tree-rest.ts';
import { viewTree } from './tree-view.ts';
import { TreeWatch } from './tree-watch.ts';
import type { ItemMoment } from './tree-watch.ts';
import { TreeWorld } from './tree-world.ts';

/** More seeds, and other ones, by the environment: `SIMULATION_SEEDS=1000 SIMULATION_FIRST_SEED=5000`. */
const first = Number(process.env['SIMULATION_FIRST_SEED'] ?? 1);
const seeds = Array.from(
  { length: Number(process.env['SIMULATION_SEEDS'] ?? 2) },
  (_, index) => first + index,
);

/**
 * The tree as it begins, many edits, then a few after everybody has come to rest, which are to be found by
 * their dates alone.
 */
const phases = [0, 2500, 50, 50, 50, 50];

test.each(seeds)(
  'a tree that two people edit at once loses no edit, and a mirror and plain readers end with it (seed %i)',
  async (seed) => {
    const world = new TreeWorld(seed);
    const own = await world.open('own');
    const mirror = await world.open('mirror', own.root);
    const watch: TreeWatch = new TreeWatch(own, world, (moment: ItemMoment) => watch.had(moment));
    const watches = [watch, new TreeWatch(mirror, world, watch.had)];
    const look = async (): Promise<void> => {
      for (const one of watches) await one.look();
    };
    const readers = [own, own, mirror].map(({ root }) => world.reader(root));
    const editor = new TreeEditor(own, world.dice);
    const edit = (): void => {
      editor.edit();
      editor.edit();
    };
    for (const steps of phases) {
      for (let count = steps === 0 ? 20 : 1; count > 0; count -= 1) edit();
      await world.live(steps, edit, look);
      await world.rest();
      await look();
      const expected = await world.view(own.root);
      expect(await world.view(mirror.root)).toEqual(expected);
      for (const reader of readers) {
        await reader.sync();
        expect(await viewTree(reader.root, reader.kept)).toEqual(expected);
      }
      for (const endpoint of [own, mirror]) await expectRest(endpoint);
      await expectDocuments(mirror, own.root, world.text);
    }
    const stored = await own.store.items.load(tree, [...editor.acknowledged.keys()].map(itemId));
    for (const [id, acknowledged] of editor.acknowledged) {
      const item = stored.get(itemId(id));
      expect(item?.revision).toBeGreaterThanOrEqual(acknowledged.revision);
      if (item?.revision === acknowledged.revision) expect(item.content).toEqual(acknowledged.content);
    }
  },
);
