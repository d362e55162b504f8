import { FeedServer } from '../feedmesh/feed-server.ts';
import { sampleFeed } from '../feedmesh/sample-feed.ts';
import { until } from '../feedmesh/until.ts';
import { sendLoad } from '../http-load.ts';
import { rawInserts } from '../references/raw-writes.ts';
import { scaled } from '../row.ts';
import type { Row } from '../row.ts';

const clients = 16;
const hosts = 50;

/** From the first request to the end of the last first fetch, of an empty feed. */
export const subscribing: Row = {
  name: 'subscribe',
  operation: 'subscribing, with the first fetch of an empty feed',
  goals: [{ figure: 'rate', beside: `raw insert, one by one, ${clients} clients`, atLeast: 0.3 }],
  async open(world, scale) {
    const count = scaled(500, scale);
    const installation = await world.installation();
    const feeds = await FeedServer.start(hosts);
    feeds.set('/empty', sampleFeed(0, 'empty'));
    const rows = installation.connection.collection('subscriptions');
    let round = 0;
    return {
      ours: {
        name: 'feedmesh',
        run: async () => {
          round += 1;
          const collection = `subscribe-${round}`;
          await installation.send('PUT', `collections/${collection}`, { format: 'atom' });
          const sample = await installation.measure(count, async () => {
            await sendLoad(count, clients, 201, (index) => ({
              url: `${installation.url}/v1/collections/${collection}/subscriptions/s${index}`,
              method: 'PUT',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify({ url: feeds.url(`/empty?${index}`, index % hosts) }),
            }));
            await until(
              `${count} subscriptions have been fetched`,
              async () => (await rows.countDocuments({ collection, last: { $exists: true } })) === count,
            );
          });
          await installation.send('DELETE', `collections/${collection}`);
          return sample;
        },
      },
      references: [rawInserts(world.mongodbUri, count, clients, feeds.url('/empty'))],
      close: () => feeds.close(),
    };
  },
};
