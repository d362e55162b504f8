import { expect, test } from '@jest/globals';
import { mendFeed } from '#plain-feeds';
import { FeedError } from '#xml';

const error = new FeedError({
  rule: 'xml-well-formed',
  section: 'XML 1.0',
  message: 'It is broken.',
  line: 1,
  column: 1,
});

const mended = (...document: Parameters<typeof mendFeed>): string =>
  Buffer.concat(mendFeed(...document).pieces).toString();

const times = 100_000;

/** What a hostile publisher repeats, so that a reader that looks back or ahead takes time without end. */
const repeated: readonly (readonly [what: string, text: string])[] = [
  ['sections that do not end', '<![CDATA['.repeat(times)],
  ['quotes that do not close', '<a b="'.repeat(times)],
  ['quotes of two kinds', `${`<a b='x "`.repeat(times)}>`],
  ['a name without an end', `<a ${'a'.repeat(times * 5)}"`],
  ['less-than signs', '<'.repeat(times)],
  ['ampersands', '&'.repeat(times)],
  ['references', '&nbsp;'.repeat(times)],
  ['document types', '<!doctype ['.repeat(times)],
  ['instructions', '<?x '.repeat(times)],
  ['comments', '<!-- '.repeat(times)],
  ['elements in elements', '<x:y>'.repeat(times)],
  ['items in items', '<item>'.repeat(times)],
  ['ends', '</item>'.repeat(times)],
  ['attributes', `<x:a ${Array.from({ length: times }, (_, place) => `a${place}=1`).join(' ')}>`],
  ['names', '<a:'.repeat(times)],
  ['ends of tags', '</a '.repeat(times)],
  ['channels', `</description></item>${'<channel>'.repeat(times)}`],
];

test.each(repeated)('%s are read, or refused, in the end', (_what, text) => {
  const item = (content: string) =>
    `<rss><channel><item><title>A</title><description>${content}</description></item></channel></rss>`;
  for (const document of [item(text), text + item('')]) {
    try {
      const bytes = new TextEncoder().encode(document);
      expect(
        mended(bytes, { url: 'http://x.example/', error, synchronisation: [], itemLength: 4_194_304 }),
      ).toMatch(/^<rss/);
    } catch (refusal) {
      expect(refusal).toBe(error);
    }
  }
});

test('a feed with synchronisation data is not mended', () => {
  const feed =
    '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:sx="urn:sync"><entry><id>a & b</id></entry></feed>';
  const bytes = new TextEncoder().encode(feed);
  const document = { url: 'http://x.example/', error, itemLength: 4_194_304 };
  for (const same of [
    bytes,
    Buffer.from(`\uFEFF${feed}\uD800`, 'utf16le'),
    Buffer.from(feed.replace('urn', 'u\0rn')),
  ])
    expect(() => mendFeed(same, { ...document, synchronisation: ['urn:sync'] })).toThrow(error);
  expect(mended(bytes, { ...document, synchronisation: [] })).toContain('a &amp; b');
});
