import { services } from '../../../../apps/standalone/src/service.ts';
import type { Service } from '../../../../apps/standalone/src/service.ts';
import { FeedServer } from '../../feedmesh/feed-server.ts';
import { subscribe } from '../../feedmesh/first-sync.ts';
import type { Installation } from '../../feedmesh/installation.ts';
import { sampleFeed } from '../../feedmesh/sample-feed.ts';
import { scaled } from '../../row.ts';
import type { Contender, Row } from '../../row.ts';
import { againstSmaller } from './against-smaller.ts';

/** As many collections as there are publishers, as one publishes a collection at a time. */
const collections = 4;

/** The same items are merged and published by one, two and four mergers and publishers. */
export const manyProcesses: Row = {
  name: 'scale-processes',
  operation: `first sync of ${collections} collections at the same time, an item of 0.9 KB`,
  goals: [],
  rounds: 3,
  async open(world, scale) {
    const items = scaled(2000, scale);
    const feeds = await FeedServer.start();
    for (let index = 0; index < collections; index += 1)
      feeds.set(`/feed-${index}`, sampleFeed(items, `feed-${index}`));
    const sync = async (installation: Installation, prefix: string): Promise<void> => {
      const indexes = Array.from({ length: collections }, (_, index) => index);
      for (const index of indexes)
        await subscribe(installation, `${prefix}-${index}`, feeds.url(`/feed-${index}`));
      for (const index of indexes) await installation.relayed(`${prefix}-${index}`, items);
    };
    const contenders = [1, 2, 4].map((count): Contender => ({
      name: `feedmesh, ${count} ${count === 1 ? 'merger and publisher' : 'mergers and publishers'}`,
      run: async () => {
        const installation = await world.another({ services: servicesWith(count) });
        try {
          // What a process does for the first time takes longer.
          await sync(installation, 'warm-up');
          return await installation.measure(items * collections, () => sync(installation, 'measured'));
        } finally {
          await installation.stop();
        }
      },
    }));
    return { ...againstSmaller(contenders), close: () => feeds.close() };
  },
};

/** The four services, with so many mergers and publishers: `merger`, `merger-2`, … */
function servicesWith(count: number): Service[] {
  return services.flatMap((service) =>
    ['merger', 'publisher'].includes(service.name)
      ? Array.from({ length: count }, (_, index) => ({
          ...service,
          name: index === 0 ? service.name : `${service.name}-${index + 1}`,
        }))
      : [service],
  );
}
