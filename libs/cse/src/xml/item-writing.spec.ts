import { describe, expect, test } from '@jest/globals';
import { refusal } from '../../../feedsync/src/xml/__fixtures__/reading.ts';
import type { Payload } from '#xml';
import { feedOfItem, readingOf } from './__fixtures__/reading.ts';
import { writeCseFeedEnd, writeCseFeedStart } from './feed-writing.ts';
import type { ParsedCseItem } from './item-reading.ts';
import { writeCseItem } from './item-writing.ts';

const date = '2026-01-02T03:04:05Z';
const built = '<csx:lastBuildDate>Fri, 02 Jan 2026 03:04:05 GMT</csx:lastBuildDate>';

/** The item as it is written with its links at these addresses; at their own if none are given. */
function write({ item, data, links }: ParsedCseItem, addresses = links.map(({ url }) => url)): string {
  return writeCseItem(
    { guid: item.id, hidden: item.hidden, data },
    { lastBuildDate: date, places: links.map(({ place }) => place), addresses },
  );
}

/** A feed of ours with these items in it. */
function feedOf(items: string): string {
  return (
    writeCseFeedStart({ title: 'T', selfUrl: 'http://ours.example/', lastBuildDate: date, head: [] }) +
    items +
    writeCseFeedEnd()
  );
}

test('an item is as it was but for the addresses of its links and its date, which comes last', () => {
  const reading = readingOf(
    feedOfItem(
      '<csx:lastBuildDate>Tue, 02 Jan 2007 00:00:00 GMT</csx:lastBuildDate><guid>g</guid>' +
        '<csx:link nestedFeed="true">n.xml</csx:link><x><csx:link>b</csx:link>, ' +
        '<csx:link onDemand="true"><![CDATA[c]]></csx:link></x>',
      ' csx:hiddenItem="true" a="1"',
    ),
  );
  expect(
    write(reading, ['http://ours.example/1?a&b', 'http://ours.example/2', 'http://ours.example/3']),
  ).toBe(
    '<item a="1" csx:hiddenItem="true"><guid>g</guid><csx:link nestedFeed="true">' +
      'http://ours.example/1?a&amp;b</csx:link><x><csx:link>http://ours.example/2</csx:link>, ' +
      `<csx:link onDemand="true">http://ours.example/3</csx:link></x>${built}</item>`,
  );
});

test('every one of very many links in one element gets its address', () => {
  const numbers = Array.from({ length: 5000 }, (_, number) => number);
  const reading = readingOf(
    feedOfItem(`<guid>g</guid><x>${numbers.map((number) => `<csx:link>${number}</csx:link>`).join('')}</x>`),
  );
  const addresses = numbers.map((number) => `http://ours.example/${number}`);
  expect(readingOf(feedOf(write(reading, addresses))).links.map(({ url }) => url)).toEqual(addresses);
});

describe('the guid', () => {
  test.each([
    [
      'no guid',
      '<link>http://e.example/1?a&amp;b</link>',
      '<guid isPermaLink="false">http://e.example/1?a&amp;b</guid><link>http://e.example/1?a&amp;b</link>',
    ],
    [
      'an empty one',
      '<title>T</title><guid/><guid>second</guid>',
      '<guid isPermaLink="false">T</guid><title>T</title>',
    ],
    [
      'one of another namespace',
      '<title>T</title><guid xmlns="urn:x">g</guid>',
      '<guid isPermaLink="false">T</guid><title>T</title><guid xmlns="urn:x">g</guid>',
    ],
  ])('is added, first, where the payload has %s', (_case, inside, written) => {
    const reading = readingOf(feedOfItem(inside));
    expect(write(reading)).toBe(`<item>${written}${built}</item>`);
    expect(readingOf(feedOf(write(reading))).item.id).toBe(reading.item.id);
  });

  test('that the payload says stays, whatever else the item is known by', () => {
    const { data } = readingOf(feedOfItem('<guid isPermaLink="true"> long </guid>'));
    expect(
      writeCseItem(
        { guid: 'sha256-0', hidden: false, data },
        { lastBuildDate: date, places: [], addresses: [] },
      ),
    ).toBe(`<item><guid isPermaLink="true"> long </guid>${built}</item>`);
  });
});

test('a date or a mark that a payload of our own holds is not written', () => {
  const data: Payload = {
    ...readingOf(feedOfItem('<guid>g</guid><csx:link>a</csx:link>')).data,
    attributes: [
      {
        namespace: 'http://schemas.microsoft.com/rss/2007/contentsyncextensions',
        name: 'hiddenItem',
        value: 'true',
      },
    ],
  };
  const dated = {
    ...data,
    children: [
      {
        namespace: 'http://schemas.microsoft.com/rss/2007/contentsyncextensions',
        name: 'lastBuildDate',
        xml: '<csx:lastBuildDate/>',
      },
      ...data.children,
    ],
  };
  expect(
    writeCseItem(
      { guid: 'g', hidden: false, data: dated },
      { lastBuildDate: date, places: [{ child: 2, start: 10, end: 11 }], addresses: ['http://e/'] },
    ),
  ).toBe(`<item><guid>g</guid><csx:link>http://e/</csx:link>${built}</item>`);
});

test('a prefix csx that means something else, and another default namespace, go with the children', () => {
  const document = (
    '<rss version="2.0" xmlns:c="http://schemas.microsoft.com/rss/2007/contentsyncextensions"><channel>' +
    '<item xmlns="urn:d" xmlns:csx="urn:other" c:hiddenItem="true" csx:a="1"><guid>g</guid><csx:x/>' +
    '<c:link>a.jpg</c:link></item></channel></rss>'
  ).replace('<rss ', '<rss xmlns="urn:d" ');
  const reading = readingOf(document);
  const written = feedOf(write(reading));
  const again = readingOf(written);
  expect(again.item).toEqual({ ...reading.item, lastBuildDate: date });
  expect(again.data.children.map(({ namespace, name }) => `{${namespace}}${name}`)).toEqual([
    '{}guid',
    '{urn:d}guid',
    '{urn:other}x',
    '{http://schemas.microsoft.com/rss/2007/contentsyncextensions}link',
  ]);
  expect(again.data.attributes).toEqual([{ namespace: 'urn:other', name: 'a', value: '1' }]);
  expect(feedOf(write(again))).toBe(feedOf(write(readingOf(feedOf(write(again))))));
});

test('what is relative stays relative to where it was', () => {
  const reading = readingOf(
    feedOfItem('<guid>g</guid><link>page.html</link><csx:link>a.jpg</csx:link>', ' xml:lang="de"'),
  );
  expect(write(reading)).toBe(
    '<item xml:base="http://site.example/feeds/root.xml" xml:lang="de"><guid>g</guid>' +
      `<link>page.html</link><csx:link>http://site.example/feeds/a.jpg</csx:link>${built}</item>`,
  );
});

test('text that XML forbids is refused, and a date that is none', () => {
  const reading = readingOf(feedOfItem('<csx:link>a</csx:link>'));
  const context = {
    lastBuildDate: date,
    places: reading.links.map(({ place }) => place),
    addresses: ['http://e/'],
  };
  const item = { guid: 'g', hidden: false, data: reading.data };
  expect(refusal(() => writeCseItem({ ...item, guid: '\uFFFE' }, context)).rule).toBe('xml-character');
  expect(refusal(() => writeCseItem(item, { ...context, addresses: ['\u0001'] })).rule).toBe('xml-character');
  expect(() => writeCseItem(item, { ...context, lastBuildDate: 'soon' })).toThrow(RangeError);
});
