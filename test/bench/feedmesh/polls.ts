import { setTimeout as wait } from 'node:timers/promises';
import type { Contender } from '../row.ts';
import { FeedServer } from './feed-server.ts';
import { subscribe } from './first-sync.ts';
import type { Installation } from './installation.ts';
import { sampleFeed } from './sample-feed.ts';
import { until } from './until.ts';

/** Milliseconds in which subscriptions are made due, and one more for each: that write is not measured. */
const makingDue = 500;

/** How many of them become due in a millisecond: more than can be polled. */
const dueTogether = 5;

interface SubscriptionRow {
  readonly _id: string;
  readonly collection: string;
  readonly status: string;
  readonly nextFetchAt: Date;
  readonly cursorVersion: number;
  readonly manifest?: string;
}

/** Subscriptions of one collection, at so many hosts, whose feeds do not change. */
export interface UnchangedFeeds {
  /** The hosts. */
  readonly feeds: FeedServer;
  /** In a round all of them become due within a moment and are polled, until the last poll is recorded. */
  readonly polls: Contender;
  readonly close: () => Promise<void>;
}

/** Makes a collection with so many of them, each of which has been read. */
export async function openUnchangedFeeds(
  installation: Installation,
  collection: string,
  count: number,
  hosts: number,
): Promise<UnchangedFeeds> {
  const feeds = await FeedServer.start(hosts);
  feeds.set('/feed', sampleFeed(1, collection));
  await subscribe(installation, collection, feeds.url('/feed'));
  await installation.relayed(collection, 1);
  await copySubscription(installation, collection, count, feeds);
  const rows = installation.connection.collection<SubscriptionRow>('subscriptions');
  const run = async () => {
    const due = new Date(Date.now() + makingDue + count);
    const sent = feeds.allRequests + count;
    const later = { $multiply: [{ $rand: {} }, count / dueTogether] };
    await rows.updateMany({ collection, id: /^copy-/ }, [{ $set: { nextFetchAt: { $add: [due, later] } } }]);
    await wait(due.getTime() - Date.now());
    const waiting = {
      status: 'active',
      nextFetchAt: { $lte: new Date(due.getTime() + count / dueTogether) },
    };
    return installation.measure(count, async () => {
      // A look at the rows costs the more, the more of them are fetched.
      await until(`${count} requests`, () => Promise.resolve(feeds.allRequests >= sent));
      const isFetched = async () => (await rows.countDocuments(waiting, { limit: 1 })) === 0;
      await until(`${count} subscriptions are fetched`, isFetched);
    });
  };
  return {
    feeds,
    polls: { name: `feedmesh, ${count} subscriptions`, run },
    async close() {
      await installation.send('DELETE', `collections/${collection}`);
      await feeds.close();
    },
  };
}

/** Subscriptions that are polled all the time, evenly: some always, the others while they are there. */
export interface PolledFeeds {
  readonly add: () => Promise<void>;
  readonly remove: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Seconds in which each of them is polled once. */
const pollInterval = 900;

/** Makes a collection with so many of them, and as many again that can be added. */
export async function openPolledFeeds(
  installation: Installation,
  collection: string,
  count: number,
  hosts: number,
): Promise<PolledFeeds> {
  const { feeds, close } = await openUnchangedFeeds(installation, collection, count, hosts);
  const rows = installation.connection.collection<SubscriptionRow>('subscriptions');
  const first = await rows.findOne({ _id: `${collection}/source` }, { projection: { feedKey: 0 } });
  if (first === null) throw new Error('there is no subscription to copy');
  const interval = { minimum: pollInterval, maximum: pollInterval };
  const due = (): Date => new Date(Date.now() + Math.random() * pollInterval * 1000);
  await rows.bulkWrite(
    Array.from({ length: count }, (_, index) => ({
      updateOne: {
        filter: { _id: `${collection}/copy-${index}` },
        update: { $set: { interval, nextFetchAt: due() } },
      },
    })),
  );
  return {
    async add() {
      const more = Array.from({ length: count }, (_, index) => {
        const url = feeds.url(`/feed?more-${index}`, index % feeds.hosts);
        const id = `more-${index}`;
        const { host } = new URL(url);
        return { ...first, _id: `${collection}/${id}`, id, url, host, interval, nextFetchAt: due() };
      });
      await rows.insertMany(more);
    },
    async remove() {
      await rows.deleteMany({ collection, id: /^more-/ });
    },
    close,
  };
}

/** Copies the only subscription, which has read its feed, to so many others of the same collection. */
async function copySubscription(
  { connection }: Installation,
  collection: string,
  count: number,
  feeds: FeedServer,
): Promise<void> {
  const rows = connection.collection<SubscriptionRow>('subscriptions');
  // A fetch ends after its items are published.
  const read = { _id: `${collection}/source`, cursorVersion: 1, manifest: { $exists: false } };
  await until('the first feed is read', async () => (await rows.countDocuments(read)) === 1);
  // The key of a feed is that of one subscription.
  const first = await rows.findOne(read, { projection: { feedKey: 0 } });
  if (first === null) throw new Error('there is no subscription to copy');
  const copies = Array.from({ length: count }, (_, index) => {
    const url = feeds.url(`/feed?${index}`, index % feeds.hosts);
    const id = `copy-${index}`;
    return { ...first, _id: `${collection}/${id}`, id, url, host: new URL(url).host };
  });
  await rows.insertMany(copies);
}
