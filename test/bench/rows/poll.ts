import type { Installation } from '../feedmesh/installation.ts';
import { FeedServer } from '../feedmesh/feed-server.ts';
import { subscribe } from '../feedmesh/first-sync.ts';
import { sampleFeed } from '../feedmesh/sample-feed.ts';
import { until } from '../feedmesh/until.ts';
import { sendLoad } from '../http-load.ts';
import { scaled } from '../row.ts';
import type { Row } from '../row.ts';

const hosts = 50;

interface SubscriptionRow {
  readonly _id: string;
  readonly nextFetchAt: Date;
  readonly cursorVersion: number;
  readonly manifest?: string;
}

/** Subscriptions become due at once and are answered by 304, until the last is recorded. */
export const poll: Row = {
  name: 'poll',
  operation: 'a poll answered by 304',
  goals: { processorTime: 0.7, rate: 1500 },
  async open(world, scale) {
    const polls = scaled(2000, scale);
    const installation = await world.installation();
    const feeds = await FeedServer.start(hosts);
    feeds.set('/feed', sampleFeed(1, 'poll'));
    await subscribe(installation, 'poll', feeds.url('/feed'));
    await installation.relayed('poll', 1);
    await copySubscription(installation, polls, feeds);
    const rows = installation.connection.collection<SubscriptionRow>('subscriptions');
    return {
      ours: {
        name: 'feedmesh',
        run: () =>
          installation.measure(polls, async () => {
            const now = new Date();
            await rows.updateMany({ id: /^poll-/ }, { $set: { nextFetchAt: now } });
            await until(
              `${polls} subscriptions are fetched`,
              async () => (await rows.countDocuments({ nextFetchAt: { $lte: now } }, { limit: 1 })) === 0,
            );
          }),
      },
      references: [
        {
          name: 'raw conditional GET, 16 clients',
          run: async () => {
            const etag = feeds.etag('/feed');
            const startedAt = performance.now();
            await sendLoad(polls, 16, 304, (index) => ({
              url: feeds.url(`/feed?${index}`, index % hosts),
              headers: { 'if-none-match': etag },
            }));
            return { operations: polls, seconds: (performance.now() - startedAt) / 1000 };
          },
        },
      ],
      close: async () => {
        await installation.send('DELETE', 'collections/poll');
        await feeds.close();
      },
    };
  },
};

/** Copies the only subscription, which has read its feed, to so many others of the same collection. */
async function copySubscription(
  { connection }: Installation,
  count: number,
  feeds: FeedServer,
): Promise<void> {
  const rows = connection.collection<SubscriptionRow>('subscriptions');
  // A fetch ends after its items are published.
  const read = { _id: 'poll/source', cursorVersion: 1, manifest: { $exists: false } };
  await until('the first feed is read', async () => (await rows.countDocuments(read)) === 1);
  // The key of a feed is that of one subscription.
  const first = await rows.findOne(read, { projection: { feedKey: 0 } });
  if (first === null) throw new Error('there is no subscription to copy');
  const copies = Array.from({ length: count }, (_, index) => {
    const url = feeds.url(`/feed?${index}`, index % hosts);
    const id = `poll-${index}`;
    return { ...first, _id: `poll/${id}`, id, url, host: new URL(url).host };
  });
  await rows.insertMany(copies);
}
