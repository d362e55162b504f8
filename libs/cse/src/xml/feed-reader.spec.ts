import { describe, expect, test } from '@jest/globals';
import { refusal } from '../../../feedsync/src/xml/__fixtures__/reading.ts';
import { cseNamespace } from './namespace.ts';
import { CseFeedReader } from './feed-reader.ts';

const base = 'http://site.example/feeds/root.xml';
const document = `<?xml version="1.0" encoding="iso-8859-1"?>
<rss version="2.0" xmlns:csx="${cseNamespace}"><channel><title>Grün</title>
<item><guid>1</guid><csx:link>a.jpg</csx:link></item>
<item><guid>2</guid></item>
<item><guid>1</guid><csx:link/></item>
<lastBuildDate>Tue, 02 Jan 2007 00:00:00 GMT</lastBuildDate></channel></rss>`;

test(
  'a feed is read byte by byte: each item when it is complete, and at the end the feed with all of ' +
    'them, and its head',
  () => {
    const reader = new CseFeedReader({ base });
    const bytes = Buffer.from(document, 'latin1');
    const readings = [...bytes].flatMap((byte) => reader.write(Uint8Array.of(byte)));
    expect(readings.map(({ item, line }) => [item.id, line])).toEqual([
      ['1', 3],
      ['2', 4],
      ['1', 5],
    ]);
    const { feed, head } = reader.end();
    expect(feed).toEqual({ lastBuildDate: '2007-01-02T00:00:00Z', items: readings.map(({ item }) => item) });
    expect(head.title).toBe('Grün');
  },
);

test('reports an item with the same identity as an earlier one, beside its other violations', () => {
  const readings = new CseFeedReader({ base }).write(Buffer.from(document, 'latin1'));
  expect(
    readings.map(({ violations }) =>
      violations.map(({ severity, rule, line, column }) => `${severity} ${rule}@${line}:${column}`),
    ),
  ).toEqual([[], [], ['error cse-link-empty@5:21', 'warning cse-guid-unique@5:1']]);
  expect(readings[2]?.violations[1]?.message).toContain('line 3');
});

test('the encoding may be said by the server', () => {
  const reader = new CseFeedReader({ base, contentType: 'text/xml; charset=utf-8' });
  reader.write(Buffer.from(document));
  expect(reader.end().head.title).toBe('Grün');
});

test('limits are those that are given, and the error names them', () => {
  const reader = new CseFeedReader({ base, limits: { items: 2 } });
  expect(refusal(() => reader.write(Buffer.from(document, 'latin1')))).toMatchObject({
    rule: 'limit-items',
    message: expect.stringContaining('limit "items"'),
  });
});

test.each([
  ['cut short', '<rss version="2.0"><channel>', 'xml-well-formed'],
  ['in Atom', '<feed xmlns="http://www.w3.org/2005/Atom"/>', 'cse-format'],
  ['nothing', '', 'xml-well-formed'],
])('a feed that is %s is refused at its end', (_case, text, rule) => {
  const reader = new CseFeedReader({ base });
  reader.write(Buffer.from(text));
  expect(refusal(() => reader.end()).rule).toBe(rule);
});

describe('a feed with much in one item', () => {
  const feedOf = (inside: string): Buffer =>
    Buffer.from(
      '<rss version="2.0" xmlns:csx="http://schemas.microsoft.com/rss/2007/contentsyncextensions">' +
        `<channel>\n<item><guid>1</guid>\n${inside}</item></channel></rss>`,
    );
  const nest = (depth: number): string =>
    `${'<x>'.repeat(depth)}<csx:link>a.jpg</csx:link>${'</x>'.repeat(depth)}`;

  test('is refused if it has too many links, at the first one above the limit', () => {
    const reader = new CseFeedReader({ base, limits: { itemLinks: 2 } });
    const links = feedOf('<csx:link>a.jpg</csx:link><x><csx:link/></x>\n <csx:link>c.jpg</csx:link>');
    expect(refusal(() => reader.write(links))).toMatchObject({
      rule: 'limit-item-links',
      line: 4,
      column: 2,
      message: 'An item has more than 2 links (limit "itemLinks").',
    });
    expect(new CseFeedReader({ base, limits: { itemLinks: 3 } }).write(links)).toHaveLength(1);
  });

  test('may have 5,000 links in it, and not one more', () => {
    const links = (count: number) => feedOf('<csx:link>a</csx:link>'.repeat(count));
    expect(new CseFeedReader({ base }).write(links(5000))[0]?.links).toHaveLength(5000);
    expect(refusal(() => new CseFeedReader({ base }).write(links(5001))).rule).toBe('limit-item-links');
  });

  test('may nest it as deep as the limit says, which counts in the item too', () => {
    expect(
      new CseFeedReader({ base, limits: { depth: 900 } }).write(feedOf(nest(890)))[0]?.item.links,
    ).toHaveLength(1);
    expect(
      refusal(() => new CseFeedReader({ base, limits: { depth: 900 } }).write(feedOf(nest(900)))),
    ).toMatchObject({ rule: 'limit-depth', message: expect.stringContaining('900') });
  });

  test('may have as many attributes on one element of it as the limit says', () => {
    const attributes = Array.from({ length: 300 }, (_, number) => ` a${number}=""`).join('');
    expect(
      new CseFeedReader({ base, limits: { attributes: 310 } }).write(feedOf(`<x${attributes}/>`)),
    ).toHaveLength(1);
  });

  test('has no link that is too long with the base that it is relative to', () => {
    const long = (length: number) =>
      `<x xml:base="http://site.example/${'b'.repeat(length)}/"><csx:link>a.jpg</csx:link></x>` +
      `<csx:link>${'c'.repeat(length)}</csx:link>`;
    const read = (length: number) => new CseFeedReader({ base }).write(feedOf(long(length)))[0];
    expect(read(8000)?.item.links).toHaveLength(2);
    expect(read(8200)).toMatchObject({
      item: { links: [] },
      violations: [
        { rule: 'cse-link-url', severity: 'error', message: expect.stringContaining('urlLength') },
        { rule: 'cse-link-url' },
      ],
    });
  });
});

test('a reader that is forgetful checks each item and the feed, and has none of them in the end', () => {
  const reader = new CseFeedReader({ base, isForgetful: true });
  expect(reader.write(Buffer.from(document, 'latin1'))).toHaveLength(3);
  expect(reader.end()).toMatchObject({ feed: { items: [], lastBuildDate: '2007-01-02T00:00:00Z' } });
  expect(
    refusal(() =>
      new CseFeedReader({ base, isForgetful: true, limits: { items: 2 } }).write(
        Buffer.from(document, 'latin1'),
      ),
    ).rule,
  ).toBe('limit-items');
});
