import { feedXml, itemXml } from '../../growth/shapes/items.ts';
import type { LargeInput, ServedDocument, World } from '../large-input.ts';
import { each } from './each.ts';
import { readEverything } from './feeds.ts';

const atom = { protocol: 'feedsync', format: 'atom' } as const;
const rssType = { 'content-type': 'application/rss+xml' };

const rss = (items: string): string => `<rss version="2.0"><channel><title>A</title>${items}</channel></rss>`;
const text = 'a &amp; b &lt;p> '.repeat(60);
const rssItem = (n: number, inside: string): string => `<item><guid>${n}</guid>${inside}</item>`;

const titled = (n: number): string => rssItem(n, `<title>${text}</title>`);
const aboutItem = (n: number): string =>
  `<item rdf:about="/${n}"><title>${n}</title><description>${'a'.repeat(100)}</description></item>`;

/** Feeds of almost FETCH_ADOPTED_LENGTH, or at a limit in code, that are broken or of another kind. */
const mended: Readonly<Record<string, () => ServedDocument>> = {
  'broken feed, 15,000 items': () => ({
    body: rss(each(15_000, (n) => rssItem(n, `<title>${n}<description>${text}`))),
    headers: rssType,
  }),
  'broken feed, 30,000 short items': () => ({
    body: `${rss(each(30_000, (n) => rssItem(n, '<title>a</title>')))}<`,
    headers: rssType,
  }),
  'broken feed, one long item': () => ({
    body: rss(rssItem(1, `<description>${'<b>a'.repeat(900_000)}`)),
    headers: rssType,
  }),
  'broken feed, elements that are not closed': () => ({
    body: rss('<a>'.repeat(5_000_000)),
    headers: rssType,
  }),
  'cut off': () => ({ body: rss(rssItem(1, `<title>a</title>${'a'.repeat(15_000_000)}`)).slice(0, -30) }),
  'no feed': () => ({ body: 'a'.repeat(16_000_000), headers: rssType }),
  'other characters': () => ({
    body: Buffer.from(`<?xml version="1.0" encoding="utf-16"?>${rss(each(9000, titled))}`, 'utf16le'),
    headers: { 'content-type': 'application/xml; charset=utf-16le' },
  }),
  'RSS 1.0': () => ({
    body:
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">' +
      `<channel rdf:about="/"><title>A</title></channel>${each(20_000, aboutItem)}</rdf:RDF>`,
    headers: rssType,
  }),
  'JSON Feed, 500,000 values': () =>
    jsonFeed(
      Array.from({ length: 8000 }, (_, n) => ({
        id: `${n}`,
        title: 'a',
        tags: Array.from({ length: 55 }, (_value, tag) => `${tag}`),
      })),
    ),
  'JSON Feed, 1,000,000 items': () => jsonFeed(Array.from({ length: 1_000_000 }, () => ({ a: 1 }))),
  'JSON Feed, one long item': () => jsonFeed([{ id: '1', content_html: '<b>'.repeat(4_000_000) }]),
};

const jsonFeed = (items: readonly object[]): ServedDocument => ({
  body: JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'A', items }),
  headers: { 'content-type': 'application/feed+json' },
});

const html = (body: string): ServedDocument => ({
  body: `<!DOCTYPE html><html><head><title>A</title></head><body>${body}`,
  headers: { 'content-type': 'text/html' },
});
const alternate = (n: number): string =>
  `<link rel="alternate" type="application/rss+xml" href="http://pages.example/${n}">`;

/** HTML pages, of which a part is read to find their feeds. */
const pages: Readonly<Record<string, () => ServedDocument>> = {
  '2.4 MB of <b>': () => html('<b>'.repeat(800_000)),
  '16 MiB of links': () => html(each(200_000, alternate)),
  'short tags': () => html('<a>'.repeat(350_000)),
  comments: () => html('<!---->'.repeat(150_000)),
  attributes: () => html(`<link ${each(100_000, (n) => `a${n}=b `)}>`),
  references: () => html(`<link rel="alternate" href="${'&amp;'.repeat(200_000)}">`),
  'other characters': () => ({
    body: Buffer.from(`<meta charset="shift_jis">${'\u0082\u00a0'.repeat(500_000)}`, 'latin1'),
    headers: { 'content-type': 'text/html; charset=shift_jis' },
  }),
};

/** A robots.txt file of 512 kB. */
const robots: Readonly<Record<string, (number: number) => string>> = {
  rules: (n) => `Disallow: /${n}\n`,
  groups: (n) => `User-agent: a${n % 10}\nDisallow: /\n`,
  agents: () => 'User-agent: *\n',
  'short lines': () => '\n',
  stars: () => `Disallow: /${'*a'.repeat(20)}\n`,
  references: () => `Disallow: /${'%41%e9'.repeat(20)}\n`,
  'characters beyond ASCII': () => `Disallow: /${'é'.repeat(40)}\n`,
};

const small = (markup: 'atom' | 'plain-atom', count: number): string =>
  each(count, (n) =>
    itemXml(markup, { id: `i${n}`, children: '<content>a</content>' }).replace('urn:x', `urn:${n}`),
  );

/** Everything else that a document, or the header of one, may be. */
export const documentInputs: readonly LargeInput[] = [
  ...Object.entries(mended).map(([name, make]) => ({
    name: `FETCH_ADOPTED_LENGTH, mended: ${name}`,
    send: (world: World) => world.fetched(atom, make()),
  })),
  ...Object.entries(pages).flatMap(([name, make]) =>
    [false, true].map((discover) => ({
      name: `HTML page, ${discover ? 'discovered' : 'as a feed'}: ${name}`,
      send: (world: World) => world.fetched(atom, make(), { subscription: { discover } }),
    })),
  ),
  ...Object.entries(robots).map(([name, line]) => ({
    name: `robots.txt: ${name}`,
    send: async (world: World) => {
      const body = `User-agent: *\n${each(Math.ceil(512_000 / line(0).length), line).slice(0, 512_000)}`;
      const rules = { body, headers: { 'cache-control': 'max-age=0' } };
      await world.fetched(atom, html(''), {
        subscription: { discover: true },
        others: { '/robots.txt': rules },
      });
    },
  })),
  ...(
    [
      ['atom', 100_000],
      ['plain-atom', 40_000],
    ] as const
  ).map(([markup, count]) => ({
    name: `FEED_ITEMS, ${markup}: ${count} items`,
    send: (world: World) => readEverything(world, markup, feedXml(markup, small(markup, count))),
  })),
  {
    name: 'FEED_ITEM_LENGTH: 11,000 items over a limit',
    send: async (world: World) => {
      const deep = '<a>'.repeat(65) + '</a>'.repeat(65);
      await world.fetched(atom, {
        body: rss(each(11_000, (n) => rssItem(n, deep))),
        headers: rssType,
      });
      await world.request('GET', '/v1/dead-letters?limit=1000');
    },
  },
  {
    name: 'FETCH_BODY_BYTES: 200 MB of a document that is no feed',
    send: (world: World) => world.fetched(atom, { body: 'a'.repeat(200_000_000), headers: rssType }),
  },
  {
    name: 'FETCH_COMPARED_BYTES: a document that is fetched again',
    send: async (world: World) => {
      const feed = (n: number): ServedDocument => ({
        body: rss(each(1000, (i) => rssItem(i, `<title>${n} ${'a'.repeat(900)}</title>`))),
        headers: rssType,
      });
      const path = await world.fetched(atom, feed(1));
      await world.refetched(path, feed(1));
      await world.refetched(path, feed(2));
    },
  },
  {
    name: 'FETCH_HEADER_BYTES: links',
    send: (world: World) =>
      world.fetched(atom, {
        body: rss(rssItem(1, '<title>a</title>')),
        headers: { ...rssType, link: each(400, (n) => `</${n}>; rel="a b c d e";a="b",`).slice(0, 15_000) },
      }),
  },
  ...Object.entries({
    'of a plain item': `<author>${'a'.repeat(4_000_000)}</author>`,
    'of spaces': `<author>a${' '.repeat(4_000_000)}b</author>`,
    'of brackets': `<author>${'('.repeat(4_000_000)}</author>`,
  }).map(([name, author]) => ({
    name: `FEED_ITEM_LENGTH: author ${name}`,
    send: (world: World) =>
      readEverything(world, 'plain-rss', rss(`<item><guid>x</guid><title>a</title>${author}</item>`)),
  })),
];
