import { FeedServer } from '../feedmesh/feed-server.ts';
import { subscribe } from '../feedmesh/first-sync.ts';
import { changedFeed, sampleEntry, sampleFeed } from '../feedmesh/sample-feed.ts';
import { secondReplication } from '../references/pouchdb.ts';
import { scaled } from '../row.ts';
import type { Row } from '../row.ts';

/** From the request to fetch a feed with the changes to the last event on the stream. */
export const secondSync: Row = {
  name: 'second-sync',
  operation: 'second sync, 1 % of 20,000 items changed',
  goals: { processorTime: 60, ratios: { 'PouchDB, memory': 0.5, 'PouchDB, leveldb': 1 } },
  async open(world, scale) {
    const items = scaled(20_000, scale);
    const changed = Math.max(1, items / 100);
    const installation = await world.installation();
    const feeds = await FeedServer.start();
    feeds.set('/feed', sampleFeed(items, 'second'));
    await subscribe(installation, 'second', feeds.url('/feed'));
    await installation.relayed('second', items);
    const body = sampleEntry(0, 'second', 2);
    const pairs = [
      await secondReplication('memory', items, changed, body),
      await secondReplication('leveldb', items, changed, body),
    ];
    let round = 0;
    return {
      ours: {
        name: 'feedmesh',
        run: () => {
          round += 1;
          const indexes = Array.from({ length: changed }, (_, index) => index);
          feeds.set('/feed', changedFeed(indexes, 'second', 2 + round));
          return installation.measure(1, async () => {
            await installation.send('POST', 'collections/second/subscriptions/source/refresh');
            await installation.relayed('second', items + round * changed);
          });
        },
      },
      references: pairs.map((pair) => ({
        name: pair.name,
        run: async () => ({ ...(await pair.run()), operations: 1 }),
      })),
      close: async () => {
        await feeds.close();
        for (const pair of pairs) await pair.close();
        await installation.send('DELETE', 'collections/second');
      },
    };
  },
};
