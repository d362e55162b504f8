import { itemId } from '#core';
import { feedsyncDialect } from './dialect.ts';
import { describe, expect, test } from '@jest/globals';
import type { Item } from '../engine/item.ts';
import { feedOfEntry, itemOf, refusal } from './__fixtures__/reading.ts';
import { atomToDoList, rssToDoList } from './__fixtures__/to-do-list.ts';
import { describeFeed, writeFeedEnd, writeFeedStart, readPayload } from '#xml';
import { writeItem } from './item-writing.ts';
import type { Format, Payload } from '#xml';

const sync = '<sx:sync id="a" updates="1"><sx:history sequence="1" by="A"/></sx:sync>';

function rewritten(item: Item<Payload>, format: Format = 'atom'): Item<Payload> {
  const head = describeFeed({
    format,
    title: 'T',
    id: 'urn:t',
    selfUrl: 'http://example.com/',
    updated: '2026-01-01T00:00:00Z',
    author: 'A',
  });
  return itemOf(writeFeedStart(head, feedsyncDialect) + writeItem(item) + writeFeedEnd(format));
}

test.each([
  ['atom', atomToDoList],
  ['rss', rssToDoList],
] as const)('the item of the example of 1.4 comes back as it was (%s)', (format, feed) => {
  const item = itemOf(feed);
  expect(rewritten(item, format)).toEqual(item);
});

test('bindings are on the item, and clashing ones on each child that needs them', () => {
  const feed =
    '<a:feed xmlns:a="http://www.w3.org/2005/Atom" xmlns:sx="urn:other" xmlns:x="urn:x">' +
    '<a:entry>' +
    '<a:title>x:a</a:title><b xmlns="urn:b" sx:c="1"/><d xmlns="">e</d><f/>' +
    '<s:sync xmlns:s="http://feedsync.org/2007/feedsync" id="a" updates="1">' +
    '<s:history sequence="1" by="A"/></s:sync></a:entry></a:feed>';
  expect(writeItem(itemOf(feed))).toBe(
    '<entry xmlns:a="http://www.w3.org/2005/Atom" xmlns:x="urn:x"><a:title>x:a</a:title>' +
      `<b xmlns:sx="urn:other" xmlns="urn:b" sx:c="1"/><d xmlns="">e</d><f xmlns=""/>${sync}</entry>`,
  );
});

test('xml:base and xml:lang are on the item, or on its children if conflicts would inherit them', () => {
  const plain = feedOfEntry(`<title>T</title>${sync}`).replace(
    '<entry>',
    '<entry xml:base="http://example.com/" xml:lang="de">',
  );
  expect(writeItem(itemOf(plain))).toBe(
    `<entry xml:base="http://example.com/" xml:lang="de"><title>T</title>${sync}</entry>`,
  );
  const item = itemOf(plain);
  const other = itemOf(feedOfEntry(`<title>C</title>${sync}`));
  expect(writeItem({ ...item, conflicts: [other] })).toBe(
    '<entry><title xml:base="http://example.com/" xml:lang="de">T</title>' +
      `${sync.replace(
        '</sx:sync>',
        `<sx:conflicts><entry><title>C</title>${sync}</entry></sx:conflicts></sx:sync>`,
      )}</entry>`,
  );
});

test('a conflict in the other format keeps its namespace', () => {
  const item = itemOf(rssToDoList);
  const nested = itemOf(atomToDoList);
  const back = rewritten({ ...item, conflicts: [nested] }, 'rss');
  expect(back.conflicts[0]?.data).toMatchObject({ format: 'atom', children: nested.data.children });
});

test('tombstones, noconflicts and foreign markup are written', () => {
  const feed = feedOfEntry(
    '<sx:sync id="a" updates="2" deleted="true" noconflicts="false" xmlns:x="urn:x" x:a="&lt;" ' +
      'b="&quot;&#10;"><sx:history sequence="2" by="A" x:c="1"><x:d>x</x:d></sx:history><x:e/></sx:sync>',
  );
  const item = itemOf(feed);
  expect(item.sync).toMatchObject({ deleted: true, noconflicts: false });
  expect(item.sync.foreign?.children).toHaveLength(1);
  expect(rewritten(item).sync).toEqual(item.sync);
});

test("the attributes of the item's own element are kept by their expanded names", () => {
  const item = itemOf(feedOfEntry(sync).replace('<entry>', '<entry xmlns:x="urn:x" x:a="1" b="&amp;&#9;">'));
  expect(rewritten(item).data.attributes).toEqual([
    { namespace: 'urn:x', name: 'a', value: '1' },
    { namespace: '', name: 'b', value: '&\t' },
  ]);
});

test('attribute values come back with their quotes, tabs and line breaks', () => {
  const item = itemOf(feedOfEntry(sync));
  const id = itemId('<&>"\'\t\r\n é😀\u0085');
  expect(rewritten({ ...item, sync: { ...item.sync, id } }).sync.id).toBe(id);
});

test.each(['\0', '\u0001', '\uD800', '\uDC00', '\uFFFE', '\uFFFF'])(
  'a character that XML forbids is refused (%j)',
  (character) => {
    const item = itemOf(feedOfEntry(sync));
    expect(
      refusal(() => writeItem({ ...item, sync: { ...item.sync, id: itemId(`a${character}`) } })).rule,
    ).toBe('xml-character');
  },
);

describe('with a publisher', () => {
  const publisher = {
    id: 'urn:ours',
    updated: '2026-01-02T03:04:05Z',
    editUrl: 'http://example.com/edit?a=1&b=2',
    author: 'Us & them',
  };

  test("an Atom entry has the publisher's id, updated and edit link, and keeps its author", () => {
    const inside =
      '<id>urn:theirs</id><title>T</title><updated>2005-01-01T00:00:00Z</updated><author><name>N</name>' +
      '</author><link rel="edit" href="e"/><link rel=\'edit-media\' href="m"/>' +
      '<link rel="self" href="s"/><link rel="alternate" href="a"/>';
    expect(writeItem(itemOf(feedOfEntry(inside + sync)), publisher)).toBe(
      '<entry><title>T</title><author><name>N</name></author><link rel="alternate" href="a"/>' +
        '<id>urn:ours</id><updated>2026-01-02T03:04:05Z</updated>' +
        `<link rel="edit" href="http://example.com/edit?a=1&amp;b=2"/>${sync}</entry>`,
    );
  });

  test('an Atom entry without title or author gets what RFC 4287 requires', () => {
    expect(writeItem(itemOf(feedOfEntry(sync)), publisher)).toContain(
      '<title></title><author><name>Us &amp; them</name></author>',
    );
  });

  test('foreign elements with the same names are left alone', () => {
    expect(writeItem(itemOf(feedOfEntry(`<id xmlns="urn:x">1</id>${sync}`)), publisher)).toContain(
      '<id xmlns="urn:x">1</id>',
    );
  });

  test("an RSS item has the publisher's guid and date", () => {
    const written = writeItem(
      itemOf(
        rssToDoList.replace('<description>Get', '<guid>theirs</guid><pubDate>then</pubDate><description>Get'),
      ),
      publisher,
    );
    expect(written).toContain(
      '<guid isPermaLink="false">urn:ours</guid><pubDate>Fri, 02 Jan 2026 03:04:05 GMT</pubDate>' +
        '<atom:link rel="edit"',
    );
    expect(written).not.toMatch(/theirs|then/);
  });

  test('an RSS item that has the prefix of Atom for something else keeps its meaning', () => {
    const data = readPayload('<item xmlns:atom="urn:x"><title>T</title><atom:y/></item>');
    expect(writeItem({ ...itemOf(rssToDoList), data }, publisher)).toMatch(
      /^<item><title[^>]*>T<\/title><atom:y xmlns:atom="urn:x"\/>.*<atom:link rel="edit"/,
    );
  });

  test('an RSS item that has neither title nor description gets a title', () => {
    const titled = (inside: string) =>
      writeItem({ ...itemOf(atomToDoList), data: readPayload(`<item>${inside}</item>`) }, publisher).includes(
        '<title></title>',
      );
    expect(
      ['', '<title>T</title>', '<description>D</description>', '<title xmlns="urn:x"/>'].map(titled),
    ).toEqual([true, false, false, true]);
  });

  test('what another publisher said of itself in the other format goes too', () => {
    expect(
      writeItem(
        itemOf(feedOfEntry(`<guid xmlns="">theirs</guid><pubDate xmlns="">then</pubDate>${sync}`)),
        publisher,
      ),
    ).not.toMatch(/theirs|then/);
    const item = itemOf(
      rssToDoList.replace(
        '<description>Get',
        '<id xmlns="http://www.w3.org/2005/Atom">theirs</id><description>Get',
      ),
    );
    expect(writeItem(item, publisher)).not.toContain('theirs');
  });

  test('conflicts stay as they were', () => {
    const item = itemOf(atomToDoList);
    expect(writeItem({ ...item, conflicts: [item] }, publisher)).toContain(
      '<id>urn:uuid:60a76c80-d399-11d9-b93C-0003939e0aa0</id>',
    );
  });
});
