import { randomBytes } from 'node:crypto';
import type { Service } from '../../../apps/standalone/src/service.ts';
import { FeedServer } from './feed-server.ts';
import { Installation } from './installation.ts';
import { sampleFeed } from './sample-feed.ts';

export interface FirstSyncSettings {
  readonly redisUrl: string;
  readonly mongodbUri: string;
  readonly items: number;
  /** The built services, if they are not beside this file. */
  readonly services?: readonly Service[];
}

/**
 * Runs the four services on an empty database, subscribes a collection to a feed of `items` items over HTTP,
 * and waits until all are merged, published, and their events relayed. Returns the highest resident set of
 * each process, in MB, by name.
 */
export async function peakOfFirstSync({
  items,
  ...settings
}: FirstSyncSettings): Promise<Readonly<Record<string, number>>> {
  const database = `bench-${randomBytes(4).toString('hex')}`;
  const feeds = await FeedServer.start();
  feeds.set('/feed', sampleFeed(items, database));
  const installation = await Installation.start({ ...settings, database });
  try {
    await subscribe(installation, 'large', feeds.url('/feed'));
    await installation.relayed('large', items);
    return installation.peakMemory();
  } finally {
    await installation.stop();
    await feeds.close();
  }
}

/** Makes a collection and subscribes it to a feed. */
export async function subscribe(installation: Installation, collection: string, url: string): Promise<void> {
  await installation.send('PUT', `collections/${collection}`, { format: 'atom' });
  await installation.send('PUT', `collections/${collection}/subscriptions/source`, { url });
}
