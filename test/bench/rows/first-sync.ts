import { FeedServer } from '../feedmesh/feed-server.ts';
import { subscribe } from '../feedmesh/first-sync.ts';
import { sampleEntry, sampleFeed } from '../feedmesh/sample-feed.ts';
import { firstReplication } from '../references/pouchdb.ts';
import { rawSync } from '../references/raw-sync.ts';
import { rawCompareAndSet, rawInsert } from '../references/raw-writes.ts';
import { scaled } from '../row.ts';
import type { Row } from '../row.ts';

/** From the request to subscribe to the last event on the stream. */
export const firstSync: Row = {
  name: 'first-sync',
  operation: 'first sync, an item of 0.9 KB',
  goals: [
    { figure: 'rate', beside: 'PouchDB, memory', atLeast: 0.85 },
    { figure: 'rate', beside: 'PouchDB, leveldb', atLeast: 1.3 },
    { figure: 'processorTime', beside: 'raw insert, log and one update a block', atMost: 3.5 },
  ],
  async open(world, scale) {
    const items = scaled(20_000, scale);
    const installation = await world.installation();
    const feeds = await FeedServer.start();
    feeds.set('/feed', sampleFeed(items, 'first'));
    let round = 0;
    const body = sampleEntry(0, 'first', 2);
    return {
      ours: {
        name: 'feedmesh',
        run: async () => {
          round += 1;
          const collection = `first-${round}`;
          const sample = await installation.measure(items, async () => {
            await subscribe(installation, collection, feeds.url('/feed'));
            await installation.relayed(collection, items);
          });
          await installation.send('DELETE', `collections/${collection}`);
          return sample;
        },
      },
      references: [
        rawInsert(world.mongodbUri, items, body),
        rawSync(world.mongodbUri, items, body),
        rawCompareAndSet(world.mongodbUri, items, body, 1),
        rawCompareAndSet(world.mongodbUri, items, body, 4),
        firstReplication('memory', items, body),
        firstReplication('leveldb', items, body),
      ],
      close: () => feeds.close(),
    };
  },
};
