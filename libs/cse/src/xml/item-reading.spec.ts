import { describe, expect, test } from '@jest/globals';
import { feedOfItem, readFeed, readItemOf } from './__fixtures__/reading.ts';

const guid = '<guid>g</guid>';

describe('the links of an item', () => {
  test('are found at any depth, in document order, each URL once', () => {
    const { item, violations } = readItemOf(
      feedOfItem(
        `${guid}<csx:link>b.jpg</csx:link><p:Photos xmlns:p="urn:p"><P><csx:link> /a.jpg </csx:link></P>` +
          '<csx:link>b.jpg</csx:link></p:Photos><csx:link>http://other.example/c#part</csx:link>',
      ),
    );
    expect(item.links).toEqual(
      ['http://site.example/feeds/b.jpg', 'http://site.example/a.jpg', 'http://other.example/c'].map(
        (url) => ({ url, nestedFeed: false, onDemand: false }),
      ),
    );
    expect(violations).toEqual([]);
  });

  test('are resolved against xml:base if there is one, which is resolved against the feed itself', () => {
    const { urls } = readItemOf(
      feedOfItem(
        `${guid}<a xml:base="photos/"><csx:link>a.jpg</csx:link><b xml:base="http://cdn.example/x/">` +
          '<csx:link>b.jpg</csx:link></b></a><csx:link>?page=2&amp;size=1</csx:link>',
      ),
    );
    expect(urls).toEqual([
      'http://site.example/feeds/photos/a.jpg',
      'http://cdn.example/x/b.jpg',
      'http://site.example/feeds/root.xml?page=2&size=1',
    ]);
  });

  test('are read whatever the prefix is, and from CDATA', () => {
    const { urls } = readItemOf(
      feedOfItem(
        `${guid}<link xmlns="http://schemas.microsoft.com/rss/2007/contentsyncextensions">` +
          '<![CDATA[a.jpg?x&y]]></link><csx:link xmlns:csx="urn:other">b.jpg</csx:link>',
      ),
    );
    expect(urls).toEqual(['http://site.example/feeds/a.jpg?x&y']);
  });

  test('are the nested feed alone if there is one', () => {
    const { item, violations } = readItemOf(
      feedOfItem(
        `${guid}<csx:link>a.jpg</csx:link><x><csx:link nestedFeed="true">n.xml</csx:link></x>` +
          '<csx:link>b.jpg</csx:link>',
      ),
    );
    expect(item.links).toEqual([
      { url: 'http://site.example/feeds/n.xml', nestedFeed: true, onDemand: false },
    ]);
    expect(violations).toEqual([]);
  });

  test('are none if more than one is a nested feed', () => {
    const { urls, violations } = readItemOf(
      feedOfItem(
        `${guid}<csx:link nestedFeed="true">1.xml</csx:link>\n<csx:link nestedFeed="true">2.xml` +
          '</csx:link><csx:link nestedFeed="true">3.xml</csx:link>',
      ),
    );
    expect(urls).toEqual([]);
    expect(violations).toEqual(['error cse-nested-feed-multiple@3:1']);
  });

  test('have nestedFeed and onDemand, with and without the prefix', () => {
    const { item } = readItemOf(
      feedOfItem(
        `${guid}<csx:link onDemand="true">a</csx:link><csx:link csx:onDemand="true">b</csx:link>` +
          '<csx:link onDemand="false" csx:onDemand="true" nestedFeed="false">c</csx:link>',
      ),
    );
    expect(item.links.map(({ onDemand, nestedFeed }) => [onDemand, nestedFeed])).toEqual([
      [true, false],
      [true, false],
      [false, false],
    ]);
    expect(
      readItemOf(feedOfItem(`${guid}<csx:link csx:nestedFeed="true" csx:onDemand="true">n</csx:link>`)).item
        .links,
    ).toMatchObject([{ nestedFeed: true, onDemand: true }]);
  });

  test('that have the same URL are on demand only if all of them are', () => {
    const { item } = readItemOf(
      feedOfItem(
        `${guid}<csx:link onDemand="true">a</csx:link><csx:link>a</csx:link>` +
          '<csx:link onDemand="true">a</csx:link>',
      ),
    );
    expect(item.links).toMatchObject([{ onDemand: false }]);
  });

  test.each([
    ['nestedFeed="TRUE"', 'warning cse-nested-feed-value@2:21'],
    ['nestedFeed=""', 'warning cse-nested-feed-value@2:21'],
    ['onDemand="1"', 'warning cse-on-demand-value@2:21'],
    ['csx:when="now"', 'warning cse-attribute-unknown@2:21'],
  ])('with %s are taken for plain ones', (attribute, violation) => {
    const { item, violations } = readItemOf(feedOfItem(`${guid}<csx:link ${attribute}>a</csx:link>`));
    expect(item.links).toEqual([{ url: 'http://site.example/feeds/a', nestedFeed: false, onDemand: false }]);
    expect(violations).toEqual([violation]);
  });

  test.each([
    ['<csx:link/>', 'error cse-link-empty@2:21'],
    ['<csx:link> \n </csx:link>', 'error cse-link-empty@2:21'],
    ['<csx:link>http://[1</csx:link>', 'error cse-link-url@2:21'],
    ['<csx:link>http://site.example:99999/</csx:link>', 'error cse-link-url@2:21'],
  ])('that are no URL are left out, and the others stay: %j', (link, violation) => {
    expect(readItemOf(feedOfItem(`${guid}${link}<csx:link>a</csx:link>`))).toMatchObject({
      urls: ['http://site.example/feeds/a'],
      violations: [violation],
    });
  });

  test('are none if the nested feed has no URL', () => {
    expect(readItemOf(feedOfItem(`${guid}<csx:link nestedFeed="true"/><csx:link>a</csx:link>`)).urls).toEqual(
      [],
    );
  });
});

describe('the date of an item', () => {
  test.each([
    [
      'csx:lastBuildDate',
      '<pubDate>Mon, 01 Jan 2007 00:00:00 GMT</pubDate><csx:lastBuildDate>Tue, 02 Jan 2007 00:00:00 GMT' +
        '</csx:lastBuildDate>',
      '2007-01-02T00:00:00Z',
    ],
    [
      'pubDate if there is none',
      '<pubDate>Mon, 01 Jan 2007 00:00:00 GMT</pubDate><lastBuildDate>Tue, 02 Jan 2007 00:00:00 GMT' +
        '</lastBuildDate>',
      '2007-01-01T00:00:00Z',
    ],
    ['1601 where there is neither', '', '1601-01-01T00:00:00Z'],
  ])('is %s', (_case, dates, lastBuildDate) => {
    expect(readItemOf(feedOfItem(guid + dates))).toMatchObject({ item: { lastBuildDate }, violations: [] });
  });

  test('is read as the specification prints it, without a zone, with a warning', () => {
    expect(
      readItemOf(feedOfItem(`${guid}<csx:lastBuildDate>Mon, 2 Oct. 2006 1:35:12</csx:lastBuildDate>`)),
    ).toMatchObject({
      item: { lastBuildDate: '2006-10-02T01:35:12Z' },
      violations: ['warning cse-last-build-date-syntax@2:21'],
    });
    expect(readItemOf(feedOfItem(`${guid}<pubDate>Mon, 2 Oct. 2006 06:00:00</pubDate>`))).toMatchObject({
      item: { lastBuildDate: '2006-10-02T06:00:00Z' },
      violations: ['warning cse-pub-date-syntax@2:21'],
    });
  });

  test('falls back if it cannot be read', () => {
    const dates = '<csx:lastBuildDate>soon</csx:lastBuildDate><pubDate>later</pubDate>';
    expect(readItemOf(feedOfItem(guid + dates))).toMatchObject({
      item: { lastBuildDate: '1601-01-01T00:00:00Z' },
      violations: ['warning cse-last-build-date-format@2:21', 'warning cse-pub-date-format@2:64'],
    });
  });

  test('is the first of several, and never a descendant', () => {
    const date = (day: number) => `<csx:lastBuildDate>${day} Jan 2007 00:00:00 GMT</csx:lastBuildDate>`;
    expect(readItemOf(feedOfItem(`<x>${date(9)}</x>${guid}${date(2)}${date(3)}`))).toMatchObject({
      item: { lastBuildDate: '2007-01-02T00:00:00Z' },
      violations: [
        'warning cse-last-build-date-place@2:10',
        expect.stringContaining('warning cse-last-build-date-multiple@2:'),
      ],
    });
  });
});

describe('the identity of an item', () => {
  test.each([
    ['its guid', '<guid isPermaLink="false"> a&amp;b </guid><link>http://site.example/1</link>', 'a&b', []],
    [
      'its link if it has no guid',
      '<guid/><title>T</title><link>http://site.example/1</link>',
      'http://site.example/1',
      ['warning cse-guid-required@2:1'],
    ],
    ['its title where it has neither', '<title>T</title>', 'T', ['warning cse-guid-required@2:1']],
    [
      'all its content but its date if it has nothing else',
      '<description>D</description> <csx:lastBuildDate>Tue, 02 Jan 2007 00:00:00 GMT</csx:lastBuildDate><x/>',
      '<description>D</description><x/>',
      ['warning cse-guid-required@2:1'],
    ],
  ])('is %s', (_case, inside, id, violations) => {
    expect(readItemOf(feedOfItem(inside))).toMatchObject({ item: { id }, violations });
  });
});

test.each([
  ['', false, []],
  [' csx:hiddenItem="true"', true, []],
  [' csx:hiddenItem="false"', false, []],
  [' csx:hiddenItem="yes"', false, ['warning cse-hidden-item-value@2:1']],
  [' hiddenItem="true"', false, []],
  [' csx:hidden="true"', false, ['warning cse-attribute-unknown@2:1']],
])('an item with the attributes "%s": hidden is %s', (attributes, hidden, violations) => {
  expect(readItemOf(feedOfItem(guid, attributes))).toMatchObject({ item: { hidden }, violations });
});

test('an element that the extensions do not define is reported and means nothing', () => {
  expect(readItemOf(feedOfItem(`${guid}<csx:Link>a</csx:Link>`))).toMatchObject({
    urls: [],
    violations: ['warning cse-element-unknown@2:21'],
  });
});

test('an Atom feed is refused', () => {
  const atom = (inside: string) => `<feed xmlns="http://www.w3.org/2005/Atom">${inside}</feed>`;
  expect(() => readFeed(atom('<entry/>'))).toThrow('rule cse-format');
  expect(() => readFeed(atom(''))).toThrow('rule cse-format');
});
