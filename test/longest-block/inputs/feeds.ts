import { feedXml, itemShapes, itemXml } from '../../growth/shapes/items.ts';
import type { Markup } from '../../growth/shapes/items.ts';
import type { LargeInput, World } from '../large-input.ts';

const types = { atom: 'application/atom+xml', rss: 'application/rss+xml', opml: 'text/x-opml' };
const settingsOf: Readonly<
  Record<Markup, { readonly protocol: string; readonly format: keyof typeof types }>
> = {
  atom: { protocol: 'feedsync', format: 'atom' },
  rss: { protocol: 'feedsync', format: 'rss' },
  sse: { protocol: 'sse', format: 'rss' },
  cse: { protocol: 'cse', format: 'rss' },
  'plain-atom': { protocol: 'feedsync', format: 'atom' },
  'plain-rss': { protocol: 'feedsync', format: 'rss' },
};

/** Has a feed fetched, merged and published, and reads all that can be read of it and of its item `x`. */
export async function readEverything(world: World, markup: Markup, body: string): Promise<void> {
  const settings = settingsOf[markup];
  const path = await world.fetched(settings, { body, headers: { 'content-type': types[settings.format] } });
  const name = path.slice('/v1/collections/'.length);
  const item = `${path}/items/x`;
  const paths = [
    ...['atom', 'rss'].flatMap((format) =>
      ['complete', 'partial', 'reader'].map((variant) => `/feeds/${name}/${variant}.${format}`),
    ),
    `${path}/items?limit=1000`,
    `${path}/items?limit=1000&conflicts=true`,
    `${path}/changes?since=0000000000000000`,
    item,
  ];
  for (const each of paths) await world.request('GET', each);
  await world.request('GET', item, { headers: { accept: types[settings.format] } });
  await world.request('PATCH', item, {
    body: JSON.stringify({ title: 'Other' }),
    headers: { 'content-type': 'application/merge-patch+json' },
  });
  await world.request('POST', `${item}/resolve`, {
    body: JSON.stringify({ keep: 'winner' }),
    headers: { 'content-type': 'application/json' },
  });
  await world.request('DELETE', item);
}

const markups: readonly Markup[] = ['atom', 'rss', 'sse', 'cse', 'plain-atom'];

/** What limits one item: FEED_ITEM_LENGTH, FEED_DEPTH, FEED_ATTRIBUTES, FEED_ITEM_LINKS, limits in code. */
export const itemInputs: readonly LargeInput[] = markups.flatMap((markup) =>
  itemShapes
    .filter((shape) => shape.for?.includes(markup) ?? true)
    .map(({ name, limit, parts }) => ({
      name: `item, ${markup}: ${name}`,
      send: (world) => {
        const given = parts(limit, markup);
        return readEverything(world, markup, feedXml(markup, itemXml(markup, given), given.root));
      },
    })),
);

const each = (count: number, text: (number: number) => string): string =>
  Array.from({ length: count }, (_, number) => text(number)).join('');

const related = (n: number): string => `<sx:related link="http://a.example/${n}" type="complete"/>`;

const heads: Readonly<Record<string, string>> = {
  'long markup': `<x:a xmlns:x="urn:x">${'a'.repeat(1_000_000)}</x:a>`,
  elements: '<x:a xmlns:x="urn:x"/>'.repeat(45_000),
  'elements in an element': `<x:a xmlns:x="urn:x">${'<x:b/>'.repeat(160_000)}</x:a>`,
  links: each(18_000, (n) => `<link rel="r${n}" href="http://a.example/${n}"/>`),
  'deleted entries': each(
    7000,
    (n) => `<at:deleted-entry xmlns:at="http://purl.org/atompub/tombstones/1.0" ref="urn:${n}"/>`,
  ),
  'related feeds': `<sx:sharing since="1" until="2">${each(15_000, related)}</sx:sharing>`,
  comments: '<!--a-->'.repeat(15000),
};

/** FEED_HEAD_LENGTH and FETCH_MARKUP_LENGTH. */
export const headInputs: readonly LargeInput[] = Object.entries(heads).map(([name, head]) => ({
  name: `FEED_HEAD_LENGTH: ${name}`,
  send: (world) => readEverything(world, 'atom', feedXml('atom', itemXml('atom', {}), '', head)),
}));

const small = (markup: Markup, count: number, text = ''): string => {
  const children = markup.endsWith('atom')
    ? `<content type="html">${text}</content>`
    : `<description>${text}</description>`;
  return each(count, (n) =>
    itemXml(markup, { id: `i${n}`, children })
      .replace('urn:x', `urn:${n}`)
      .replace('<guid>x', `<guid>${n}`),
  );
};

/** FETCH_BATCH_ITEMS, FETCH_BATCH_CHARACTERS, FETCH_ADOPTED_LENGTH, PUBLISH_BLOCK, GATEWAY_PAGE_ITEMS. */
export const feedInputs: readonly LargeInput[] = (
  ['atom', 'rss', 'sse', 'cse', 'plain-atom', 'plain-rss'] as const
).flatMap((markup) => [
  {
    name: `feed of ${markup}: 5,000 items`,
    send: (world) => readEverything(world, markup, feedXml(markup, small(markup, 5000))),
  },
  {
    name: `feed of ${markup}: 1,000 items of 4,000 characters`,
    send: (world) =>
      readEverything(world, markup, feedXml(markup, small(markup, 1000, '&lt;p>a&lt;/p>'.repeat(280)))),
  },
]);
