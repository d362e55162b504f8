import { editOneByOne } from '../../feedmesh/events.ts';
import { FeedServer } from '../../feedmesh/feed-server.ts';
import { subscribe } from '../../feedmesh/first-sync.ts';
import { sampleFeed } from '../../feedmesh/sample-feed.ts';
import { largeFeeds } from '../../feedmesh/large-feeds.ts';
import { scaled } from '../../row.ts';
import type { Contender, Row } from '../../row.ts';
import { againstSmaller } from './against-smaller.ts';

/** One item of a collection is edited, beside 100 others and beside many. */
export const manyItems: Row = {
  name: 'scale-items',
  operation: 'from an edit to its event on the stream, idle',
  goals: [],
  async open(world, scale) {
    const edits = Math.min(100, scaled(100, scale));
    const installation = await world.another({ environment: largeFeeds });
    const feeds = await FeedServer.start();
    const contenders: Contender[] = [];
    for (const items of [100, scaled(10_000, scale), scaled(100_000, scale)]) {
      const collection = `of-${items}`;
      feeds.setLarge('/feed', () => sampleFeed(items, collection));
      await subscribe(installation, collection, feeds.url('/feed'));
      await installation.relayed(collection, items);
      const itemAt = (index: number) => ({ collection, id: `sample.${collection}.${(index * 997) % items}` });
      const run = () => installation.measure(edits, () => editOneByOne(installation, edits, itemAt));
      contenders.push({ name: `feedmesh, ${items} items`, run });
    }
    await feeds.close();
    return { ...againstSmaller(contenders), close: () => installation.stop() };
  },
};
