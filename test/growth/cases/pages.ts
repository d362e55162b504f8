import { mendFeed, pageFeeds } from '#plain-feeds';
import { FeedError, finish, payloadFromFields, readReaderItem } from '#xml';
import type { GrowthCase } from '../growth-case.ts';

const url = 'http://there.example/feed';
const each = (count: number, text: (number: number) => string): string =>
  Array.from({ length: count }, (_, number) => text(number)).join('');

/** The strict reader's error, which `mendFeed` receives. */
const error = new FeedError({
  rule: 'xml-well-formed',
  section: 'XML 1.0',
  message: 'broken',
  line: 1,
  column: 1,
});

/** Pages and broken feeds, by what is large in them. */
const pages: Readonly<Record<string, readonly [limit: number, text: (size: number) => string]>> = {
  'unclosed elements': [5_000_000, (size) => '<b>'.repeat(size)],
  'unclosed paragraphs': [5_000_000, (size) => '<p>'.repeat(size)],
  'unclosed items': [2_500_000, (size) => `<rss><channel>${'<item>'.repeat(size)}`],
  'unclosed elements in an item': [
    5_000_000,
    (size) => `<rss><channel><item><description>${'<b>'.repeat(size)}`,
  ],
  'unopened elements': [4_000_000, (size) => `<rss><channel><item>${'</b>'.repeat(size)}`],
  items: [600_000, (size) => `<rss><channel>${each(size, (n) => `<item><title>${n}</title></item>`)}`],
  'long items': [
    50,
    (size) => `<rss><channel>${`<item><title>${'a'.repeat(100_000)}</title></item>`.repeat(size)}`,
  ],
  'links of feeds': [
    200_000,
    (size) => each(size, (n) => `<link rel="alternate" type="application/rss+xml" href="${n}">`),
  ],
  'items of JSON': [
    600_000,
    (size) =>
      `{"version":"https://jsonfeed.org/version/1.1","items":[${each(size, (n) => `{"id":"${n}"},`)}{}]}`,
  ],
  attributes: [2_000_000, (size) => `<rss ${each(size, (n) => `a${n}=b `)}><channel><item/>`],
  'undeclared prefixes': [1_000_000, (size) => `<rss><channel><item>${each(size, (n) => `<p${n}:a/>`)}`],
};

const brokenCases: readonly GrowthCase[] = Object.entries(pages).map(([name, [limit, text]]) => ({
  name: `page or broken feed: ${name}`,
  covers: ['pageFeeds', 'mendFeed'],
  limit,
  from: 15_000,
  prepare: (size) => {
    const bytes = Buffer.from(text(size));
    return [
      ['pageFeeds', () => finish(pageFeeds({ bytes, url }))],
      ['mendFeed', () => mendFeed(bytes, { url, error, itemLength: 4_194_304, synchronisation: [] })],
    ];
  },
}));

/** Texts of the author of an RSS item. */
const authors: Readonly<Record<string, (size: number) => string>> = {
  'at signs': (size) => `${'@'.repeat(size)}((`,
  'letters and at signs': (size) => `@${'x@'.repeat(size / 2)}((`,
};

const authorCases: readonly GrowthCase[] = Object.entries(authors).map(([name, text]) => ({
  name: `readReaderItem: author of ${name}`,
  covers: ['readReaderItem'],
  limit: 4_000_000,
  shortLimit: 500_000,
  from: 4000,
  prepare: (size) => {
    const payload = payloadFromFields('rss', { payload: `<author>${text(size)}</author>` });
    return [['readReaderItem', () => finish(readReaderItem(payload, url))]];
  },
}));

const payloadCase: GrowthCase = {
  name: 'payloadFromFields: elements',
  covers: ['payloadFromFields'],
  limit: 8100,
  prepare: (size) => {
    const payload = '<a xmlns="urn:a"/>'.repeat(size);
    return [['payloadFromFields', () => payloadFromFields('rss', { title: 'x', payload })]];
  },
};

export const pageCases: readonly GrowthCase[] = [...brokenCases, ...authorCases, payloadCase];
