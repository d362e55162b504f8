import type { LargeInput, ServedDocument, World } from '../large-input.ts';
import { each } from './each.ts';

const kind = { protocol: 'cse', format: 'rss' } as const;
const headers = { 'content-type': 'application/rss+xml' };

/** A feed of a tree; the day of January 2026 is the date of all that it has. */
function feed(items: string, day = 1): ServedDocument {
  const date = `Fri, 0${day} Jan 2026 03:04:05 GMT`.replace('Fri', day === 1 ? 'Thu' : 'Fri');
  return {
    headers,
    body:
      '<rss version="2.0" xmlns:csx="http://schemas.microsoft.com/rss/2007/contentsyncextensions">' +
      `<channel><title>T</title><link>/</link><description>D</description>` +
      `<lastBuildDate>${date}</lastBuildDate>${items.replaceAll('DATE', date)}</channel></rss>`,
  };
}

const item = (guid: string, links: string): string =>
  `<item><guid isPermaLink="false">${guid}</guid><title>${guid}</title>` +
  `<csx:lastBuildDate>DATE</csx:lastBuildDate>${links}</item>`;
const onDemand = (url: string): string => `<csx:link onDemand="true">${url}</csx:link>`;
const nested = (url: string): string => `<csx:link nestedFeed="true">${url}</csx:link>`;
const links = (count: number): string => each(count, (n) => onDemand(`/l/${n}`));

/** Reads what a tree shows. */
async function readTree(world: World, path: string): Promise<void> {
  const name = path.slice('/v1/collections/'.length);
  for (const rest of ['tree?limit=1000', 'documents?limit=1000', 'items?limit=1000', 'feeds?limit=1000'])
    await world.request('GET', `${path}/${rest}`);
  await world.request('GET', `${path}/changes?since=0000000000000000`);
  await world.request('GET', `/feeds/${name}.rss`);
  for (const variant of ['complete.rss', 'partial.rss', 'reader.rss', 'reader.atom'])
    await world.request('GET', `/feeds/${name}/${variant}`);
}

/** A tree of one feed, which is then changed. */
const changing = (name: string, items: string): LargeInput => ({
  name: `tree of feeds, ${name}`,
  send: async (world) => {
    const path = await world.fetched(kind, feed(items));
    await readTree(world, path);
    await world.refetched(path, feed(items, 2));
  },
});

/** FEED_ITEM_LINKS, TREE_LINKS, TREE_DEPTH, TREE_DOCUMENTS, TREE_BYTES and the limits of feeds. */
export const treeInputs: readonly LargeInput[] = [
  changing('FEED_ITEM_LINKS: 5,000 links of an item', item('x', links(5000))),
  changing(
    'FEED_ITEM_LINKS: long links',
    item(
      'x',
      each(500, (n) => onDemand(`/${n}${'a'.repeat(8000)}`)),
    ),
  ),
  changing(
    'TREE_LINKS: 50 items with 4,000 links',
    each(50, (n) => item(`${n}`, links(4000))),
  ),
  changing(
    'TREE_LINKS: 30,000 items',
    each(30_000, (n) => item(`${n}`, onDemand(`/l/${n}`))),
  ),
  changing('FEED_ITEM_LENGTH: long text', item('x', `<description>${'a'.repeat(4_000_000)}</description>`)),
  {
    name: 'tree of feeds, TREE_DOCUMENTS: 400 feeds in one another, and in a circle',
    send: async (world) => {
      const others = Object.fromEntries(
        Array.from({ length: 400 }, (_, n) => [
          `/n/${n}`,
          feed(item('a', nested(`/n/${(n * 7 + 1) % 400}`)) + item('b', nested('/n/0'))),
        ]),
      );
      const root = feed(each(400, (n) => item(`${n}`, nested(`/n/${n}`))));
      const path = await world.fetched(kind, root, { others });
      await readTree(world, path);
    },
  },
  {
    name: 'tree of feeds, TREE_BYTES: a document of 64 MB',
    send: (world) =>
      world.fetched(kind, feed(item('a', '<csx:link>/large</csx:link>')), {
        others: { '/large': { body: new Uint8Array(64_000_000) } },
      }),
  },
];
