import { FeedServer } from '../../feedmesh/feed-server.ts';
import type { Installation } from '../../feedmesh/installation.ts';
import { subscribe } from '../../feedmesh/first-sync.ts';
import { until } from '../../feedmesh/until.ts';
import { conflictedItem, conflictFeed } from '../../feedmesh/conflict-feed.ts';
import { scaled } from '../../row.ts';
import type { Contender, Row } from '../../row.ts';
import { againstSmaller } from './against-smaller.ts';

/** An item with many conflicts is merged with one that has as many others, until its event. */
export const manyConflicts: Row = {
  name: 'scale-conflicts',
  operation: 'merging an item with conflicts with one that has as many others, one of all conflicts',
  goals: [],
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
          await published(installation, collection, half);
          const url = feeds.url(`${name}/incoming`);
          const sample = await installation.measure(conflicts, async () => {
            await installation.send('PUT', `collections/${collection}/subscriptions/other`, { url });
            await published(installation, collection, 2 * half + 1);
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

interface ItemRow {
  readonly _id: string;
  readonly conflictCount: number;
  readonly pending: boolean;
  readonly sequence?: number;
}

/** Waits until the event of the item with so many conflicts is on the stream; throws if it was refused. */
async function published(installation: Installation, collection: string, conflicts: number): Promise<void> {
  const { connection } = installation;
  const rows = connection.collection<ItemRow>('items');
  const letters = connection.collection('deadLetters');
  let sequence = 0;
  await until(`an item with ${conflicts} conflicts is published`, async () => {
    const refused = await letters.findOne({ collection });
    if (refused) throw new Error(`the item was refused: ${JSON.stringify(refused['violations'])}`);
    const projection = { conflictCount: 1, pending: 1, sequence: 1 };
    const row = await rows.findOne({ _id: `${collection}/${conflictedItem}` }, { projection });
    sequence = row?.sequence ?? 0;
    return row?.conflictCount === conflicts && !row.pending;
  });
  await installation.relayed(collection, sequence);
}
