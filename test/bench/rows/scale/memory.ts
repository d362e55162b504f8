import { request } from 'undici';
import { FeedServer } from '../../feedmesh/feed-server.ts';
import { subscribe } from '../../feedmesh/first-sync.ts';
import type { Installation } from '../../feedmesh/installation.ts';
import { largeFeeds } from '../../feedmesh/large-feeds.ts';
import { sampleFeed } from '../../feedmesh/sample-feed.ts';
import { scaled } from '../../row.ts';
import type { Contender, Row } from '../../row.ts';
import { againstSmaller } from './against-smaller.ts';

/** Items in a megabyte of feed. */
const itemsOfMegabyte = 1090;

/** A large feed is read, and then read from us as a complete feed, by services that did nothing before. */
export const largeFeed: Row = {
  name: 'scale-memory',
  operation: 'first sync of a large feed, and its complete feed read, an item of 0.9 KB',
  goals: [{ figure: 'memory', atMost: 256 }],
  rounds: 1,
  async open(world, scale) {
    const feeds = await FeedServer.start();
    const contenders = [10, 100].map((full): Contender => {
      const megabytes = scaled(full, scale);
      const items = megabytes * itemsOfMegabyte;
      feeds.setLarge(`/feed-${megabytes}`, () => sampleFeed(items, 'large'));
      return {
        name: `feedmesh, a feed of ${megabytes} MB`,
        run: async () => {
          const installation = await world.another({ environment: largeFeeds });
          try {
            const sample = await installation.measure(items, async () => {
              await subscribe(installation, 'large', feeds.url(`/feed-${megabytes}`));
              await installation.relayed('large', items);
              await readCompleteFeed(installation, items);
            });
            return { ...sample, memory: installation.peakMemory() };
          } finally {
            await installation.stop();
          }
        },
      };
    });
    return { ...againstSmaller(contenders), close: () => feeds.close() };
  },
};

/** Reads the complete feed as fast as it comes; throws if it has not as many items. */
async function readCompleteFeed({ url }: Installation, items: number): Promise<void> {
  const path = '/feeds/large/complete.atom';
  const { statusCode, body } = await request(`${url}${path}`, { bodyTimeout: 0 });
  if (statusCode !== 200) throw new Error(`GET ${path}: ${statusCode}`);
  let found = 0;
  let rest = '';
  for await (const piece of body.setEncoding('utf8')) {
    const text = rest + (piece as string);
    found += text.split('</entry>').length - 1;
    rest = text.slice(text.lastIndexOf('>') + 1);
  }
  if (found !== items) throw new Error(`GET ${path}: ${found} items in place of ${items}`);
}
