import { FeedServer } from '../../feedmesh/feed-server.ts';
import { subscribe } from '../../feedmesh/first-sync.ts';
import { conflictFeed } from '../../feedmesh/conflict-feed.ts';
import { scaled } from '../../row.ts';
import type { Contender, Row } from '../../row.ts';
import { againstSmaller } from './against-smaller.ts';

/** An item with many conflicts is merged with one that has as many others, until its event. */
export const manyConflicts: Row = {
  name: 'scale-conflicts',
  operation: 'merging an item with conflicts with one that has as many others, one of all conflicts',
  goals: {},
  async open(world, scale) {
    const installation = await world.another();
    const feeds = await FeedServer.start();
    let round = 0;
    const contenders = [1000, 2500, 10_000].map((full): Contender => {
      const conflicts = scaled(full, scale);
      const half = Math.ceil(conflicts / 2);
      const name = `/of-${conflicts}`;
      feeds.set(`${name}/stored`, conflictFeed(half, 'a'));
      feeds.set(`${name}/incoming`, conflictFeed(half, 'b'));
      return {
        name: `feedmesh, ${conflicts} conflicts`,
        run: async () => {
          round += 1;
          const collection = `conflicts-${round}`;
          await subscribe(installation, collection, feeds.url(`${name}/stored`));
          await installation.relayed(collection, 1);
          const url = feeds.url(`${name}/incoming`);
          const sample = await installation.measure(conflicts, async () => {
            await installation.send('PUT', `collections/${collection}/subscriptions/other`, { url });
            await installation.relayed(collection, 2);
          });
          await installation.send('DELETE', `collections/${collection}`);
          return sample;
        },
      };
    });
    return {
      ...againstSmaller(contenders),
      close: async () => {
        await feeds.close();
        await installation.stop();
      },
    };
  },
};
