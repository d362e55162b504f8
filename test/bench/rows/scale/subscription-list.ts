import { services } from '../../../../apps/standalone/src/service.ts';
import { scaled } from '../../row.ts';
import type { Contender, Row } from '../../row.ts';
import { againstSmaller } from './against-smaller.ts';

/** A subscription list in OPML, from the request to its response; large beside small. */
export const subscriptionList: Row = {
  name: 'scale-list',
  operation: 'a feed of a subscription list in OPML, imported in one request',
  goals: [{ figure: 'rate', atLeast: 500 }],
  async open(world, scale) {
    // Nothing is fetched: the feeds are nowhere.
    const gateway = services.filter(({ name }) => name === 'gateway');
    const installation = await world.another({ services: gateway });
    const contender = (count: number): Contender => {
      let round = 0;
      return {
        name: `${count} feeds`,
        run: async () => {
          round += 1;
          const collection = `list-${count}-${round}`;
          await installation.send('PUT', `collections/${collection}`, { format: 'atom' });
          const sample = await installation.measure(count, async () => {
            const response = await fetch(`${installation.url}/v1/collections/${collection}/subscriptions`, {
              method: 'POST',
              headers: { 'content-type': 'text/x-opml' },
              body: listOf(count),
            });
            const { created } = (await response.json()) as { created?: number };
            if (created !== count) throw new Error(`${created} of ${count} feeds were subscribed to`);
          });
          await installation.send('DELETE', `collections/${collection}`);
          return sample;
        },
      };
    };
    return againstSmaller([1000, 10_000].map((full) => contender(scaled(full, scale))));
  },
};

function listOf(count: number): string {
  const outlines = Array.from({ length: count }, (_, place) => {
    const page = `https://host-${place % 1000}.example/blogs/${place}`;
    return `<outline type="rss" text="Feed ${place}" xmlUrl="${page}/feed.xml" htmlUrl="${page}"/>`;
  });
  return `<opml version="2.0"><head><title>Feeds</title></head><body>${outlines.join('\n')}</body></opml>`;
}
