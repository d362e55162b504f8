import { createOwnItems, editOwnItems } from '../../feedmesh/own-items.ts';
import { openPolledFeeds } from '../../feedmesh/polls.ts';
import { scaled } from '../../row.ts';
import type { Contender, Row, Sample } from '../../row.ts';

const hosts = 1000;
const clients = 16;

/** Edits while feeds are polled, beside the same with half as many feeds. */
export const editsBesideFeeds: Row = {
  name: 'scale-edits',
  operation: 'an edit through the API while feeds are polled every 15 minutes',
  goals: [],
  async open(world, scale) {
    const [count, edits] = [scaled(10_000, scale), scaled(1000, scale)];
    const installation = await world.installation();
    await createOwnItems(installation, 'edited', edits);
    const feeds = await openPolledFeeds(installation, 'polled-beside', count, hosts);
    let round = 0;
    const measure = (): Promise<Sample> => {
      round += 1;
      return installation.measure(edits, () =>
        editOwnItems(installation, 'edited', { items: edits, edits, clients, round }),
      );
    };
    const ours: Contender = {
      name: `feedmesh, ${2 * count} subscriptions`,
      run: async () => {
        await feeds.add();
        try {
          return await measure();
        } finally {
          await feeds.remove();
        }
      },
    };
    return {
      ours,
      references: [{ name: `feedmesh, ${count} subscriptions`, run: measure }],
      close: async () => {
        await feeds.close();
        await installation.send('DELETE', 'collections/edited');
      },
    };
  },
};
