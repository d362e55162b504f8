import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { collectionKey } from '#core';
import type { DeadLetter, Subscription } from '#core';
import { defaultScanLimits } from '#xml';
import { HostileEndpoint } from '../hostile/endpoint.ts';
import { HostileServer } from '../hostile/feed-server.ts';

let server: HostileServer;

beforeAll(async () => {
  server = await HostileServer.open();
});

afterAll(() => server.close());

/** What an item may have besides its identity. */
interface Content {
  readonly text?: string;
  readonly markup?: string;
}

interface PlainFormat {
  readonly name: string;
  /** A feed of items, each with a name that is its title and identity. */
  readonly feed: (items: readonly (readonly [name: string, content: Content])[]) => string;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const rssItem = (name: string, { text = '', markup = '' }: Content): string =>
  `<item><title>${name}</title><link>http://x.example/${name}</link>` +
  `<description>${escaped(text)}</description>${markup}</item>`;

const atomEntry =
  (idName: string) =>
  (name: string, { text = '', markup = '' }: Content): string =>
    `<entry><title>${name}</title><${idName}>tag:${name}</${idName}>${markup}` +
    `<link rel="alternate" href="http://x.example/${name}"/><summary>${escaped(text)}</summary></entry>`;

function format(name: string, around: string, item: (name: string, content: Content) => string): PlainFormat {
  const [before = '', after = ''] = around.split('…');
  return { name, feed: (items) => before + items.map((each) => item(...each)).join('\n') + after };
}

const rdf =
  '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">' +
  '<channel rdf:about="http://x.example/"><title>F</title></channel>…</rdf:RDF>';

const xmlFormats: readonly PlainFormat[] = [
  format('RSS 0.91', '<rss version="0.91"><channel><title>F</title>…</channel></rss>', rssItem),
  format('RSS 2.0', '<rss version="2.0"><channel><title>F</title>…</channel></rss>', rssItem),
  format('RSS 1.0', rdf, rssItem),
  format('Atom 1.0', '<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title>…</feed>', atomEntry('id')),
  format('Atom 0.3', '<feed version="0.3" xmlns="http://purl.org/atom/ns#">…</feed>', atomEntry('id')),
  format('broken RSS', '<rss version="2.0"><channel><title>A & B</title>…</channel></rss>', rssItem),
  format('cut-off RSS', '<rss version="2.0"><channel><title>F</title>…', rssItem),
  format('RSS with its items beside the channel', '<rss><channel><title>F</title></channel>…</rss>', rssItem),
];

const jsonFeed: PlainFormat = {
  name: 'JSON Feed',
  feed: (items) =>
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'F',
      items: items.map(([name, { text = '' }]) => ({ id: name, title: name, content_text: text })),
    }),
};

/** What passes a limit in an item of markup, with the rule. */
const oversize: readonly (readonly [what: string, rule: string, content: Content])[] = [
  [
    '80 levels',
    'limit-depth',
    { markup: `<x:a xmlns:x="urn:x">${'<x:b>'.repeat(79)}${'</x:b>'.repeat(79)}</x:a>` },
  ],
  [
    '300 attributes',
    'limit-attributes',
    {
      markup: `<x:a xmlns:x="urn:x"${Array.from({ length: 300 }, (_, n) => ` a${n}=""`).join('')}/>`,
    },
  ],
  ['700,000 characters', 'limit-item-length', { text: 'lorem ipsum '.repeat(60_000) }],
  [
    '60 levels',
    'limit-item-depth',
    { markup: `<x:a xmlns:x="urn:x">${'<x:b>'.repeat(58)}${'</x:b>'.repeat(58)}</x:a>` },
  ],
  [
    '250 attributes',
    'limit-attributes',
    {
      markup: `<x:a xmlns:x="urn:x"${Array.from({ length: 250 }, (_, n) => ` a${n}=""`).join('')}/>`,
    },
  ],
  ['70,000 elements', 'limit-elements', { markup: '<a/>'.repeat(70_000) }],
];

/** An endpoint that is subscribed to a feed; what is served can be replaced. */
class Reader {
  readonly #endpoint = new HostileEndpoint({ scan: { ...defaultScanLimits, itemLength: 600_000 } });

  async fetch(body: string): Promise<Subscription> {
    const origin = server.serve({ '/feed': { body, headers: { etag: `"${body.length}"` } } });
    if ((await this.#endpoint.store.collections.find(collectionKey('feeds'))) === undefined)
      await this.#endpoint.subscribe('rss', `${origin}/feed`);
    return this.#endpoint.fetch();
  }

  async titles(): Promise<string[]> {
    const views = (await this.#endpoint.views()) as { readonly title?: string }[];
    return views.map(({ title = '' }) => title).toSorted();
  }

  async revisions(): Promise<string[]> {
    return (await this.#endpoint.items()).map(({ id, revision }) => `${id} ${revision}`).toSorted();
  }

  letters(): Promise<DeadLetter[]> {
    return this.#endpoint.store.deadLetters.list({ collection: collectionKey('feeds'), limit: 100_000 });
  }

  close(): Promise<void> {
    return this.#endpoint.close();
  }
}

const rulesOf = (letters: readonly DeadLetter[]): string[] =>
  letters.map(({ violations }) => violations[0]?.rule ?? 'none').toSorted();

const cases = [
  ...xmlFormats.flatMap((each) => oversize.map((item) => [each.name, ...item, each] as const)),
  [
    'JSON Feed',
    '700,000 characters',
    'limit-item-length',
    { text: 'lorem ipsum '.repeat(60_000) },
    jsonFeed,
  ] as const,
];

describe.each(cases)('%s: an item with %s', (_format, _what, rule, content, { feed }) => {
  test('is a dead letter, and the others are adopted, fetch by fetch', async () => {
    const reader = new Reader();
    try {
      const items: [string, Content][] = [
        ['bad1', content],
        ['a', {}],
        ['bad2', content],
        ['b', {}],
        ['bad3', content],
      ];
      // Of a document that breaks off the last item is not known to be whole.
      const last: [string, Content] = ['z', {}];
      const { last: report } = await reader.fetch(feed([...items, last]));
      expect(report).toMatchObject({ outcome: 'fetched', rejected: 3 });
      expect(await reader.titles()).toEqual(expect.arrayContaining(['a', 'b']));
      expect(await reader.titles()).not.toContain('bad1');
      const letters = await reader.letters();
      expect(rulesOf(letters)).toEqual([rule, rule, rule]);
      for (const { violations } of letters) expect(violations[0]?.column).toBeGreaterThan(0);
      const revisions = await reader.revisions();

      // The same with another title of the feed, and with a new item.
      await reader.fetch(
        feed([...items, last])
          .replace('>F<', '>G<')
          .replace('"F"', '"G"'),
      );
      expect(await reader.revisions()).toEqual(revisions);
      const { last: third } = await reader.fetch(feed([...items, ['c', {}], last]));
      expect(third).toMatchObject({ outcome: 'fetched', rejected: 3 });
      expect(await reader.titles()).toEqual(expect.arrayContaining(['a', 'b', 'c']));
      expect((await reader.letters()).map(({ id }) => id)).toEqual(letters.map(({ id }) => id));

      // It has become small.
      await reader.fetch(feed([...items.slice(1), ['bad1', {}], last]));
      expect(await reader.titles()).toEqual(expect.arrayContaining(['a', 'b', 'bad1', 'c']));
    } finally {
      await reader.close();
    }
  });
});

test('of a feed of 20 MB the items that fit are adopted, and the others are dead letters', async () => {
  const reader = new Reader();
  try {
    const text = 'lorem ipsum '.repeat(4200);
    const items = Array.from({ length: 400 }, (_, n): [string, Content] => [`i${n}`, { text }]);
    const [, rss] = xmlFormats;
    const body = rss?.feed(items) ?? '';
    expect(body.length).toBeGreaterThan(20_000_000);
    const { last } = await reader.fetch(body);
    const titles = await reader.titles();
    const letters = await reader.letters();
    expect(last).toMatchObject({ outcome: 'fetched', items: 400, rejected: letters.length });
    expect(titles.length).toBeGreaterThan(325);
    expect(titles.length + letters.length).toBe(400);
    expect(new Set(rulesOf(letters))).toEqual(new Set(['limit-adopted-length']));
    expect(letters[0]).toMatchObject({ isPartial: true, fragment: { xml: '' } });
  } finally {
    await reader.close();
  }
});
