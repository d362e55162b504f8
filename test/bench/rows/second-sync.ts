import { FeedServer } from '../feedmesh/feed-server.ts';
import { untilItemEvents } from '../feedmesh/events.ts';
import { subscribe } from '../feedmesh/first-sync.ts';
import { changedFeed, sampleEntry, sampleFeed } from '../feedmesh/sample-feed.ts';
import { secondReplication } from '../references/pouchdb.ts';
import { scaled } from '../row.ts';
import type { Row } from '../row.ts';

/**
 * From the request to fetch a feed with the changes until Redis has the last event. The one who waits reads
 * nothing but the stream.
 */
export const secondSync: Row = {
  name: 'second-sync',
  operation: 'second sync, 1 % of 20,000 items changed',
  goals: [
    { figure: 'rate', beside: 'PouchDB, memory', atLeast: 0.4 },
    { figure: 'rate', beside: 'PouchDB, leveldb', atLeast: 1 },
  ],
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
        run: async () => {
          round += 1;
          const indexes = Array.from({ length: changed }, (_, index) => index);
          feeds.set('/feed', changedFeed(indexes, 'second', 2 + round));
          let milliseconds = 0;
          const sample = await installation.measure(1, async () => {
            milliseconds = await untilItemEvents(installation, changed, () =>
              installation.send('POST', 'collections/second/subscriptions/source/refresh'),
            );
          });
          return { ...sample, seconds: milliseconds / 1000 };
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
