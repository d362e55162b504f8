import { describe, expect, test } from '@jest/globals';
import { refusal } from '../../../feedsync/src/xml/__fixtures__/reading.ts';
import { readFeed } from './__fixtures__/reading.ts';

const channel = (inside: string): string =>
  `<rss version="2.0"><channel>${inside}<item><guid>1</guid>` +
  '<pubDate>Wed, 03 Jan 2007 00:00:00 GMT</pubDate></item></channel></rss>';

test.each([
  [
    'its lastBuildDate',
    '<pubDate>Mon, 01 Jan 2007 00:00:00 GMT</pubDate><lastBuildDate>Tue, 02 Jan 2007 00:00:00 GMT' +
      '</lastBuildDate>',
    '2007-01-02T00:00:00Z',
  ],
  ['its pubDate if it has none', '<pubDate>Mon, 01 Jan 2007 00:00:00 GMT</pubDate>', '2007-01-01T00:00:00Z'],
  [
    'its pubDate if the other cannot be read',
    '<pubDate>Mon, 01 Jan 2007 00:00:00 GMT</pubDate><lastBuildDate>soon</lastBuildDate>',
    '2007-01-01T00:00:00Z',
  ],
  ['1601 where it has neither', '', '1601-01-01T00:00:00Z'],
])('the date of a feed is %s', (_case, dates, lastBuildDate) => {
  expect(readFeed(channel(dates)).feed).toMatchObject({ lastBuildDate, items: [{ id: '1' }] });
});

/** The example of the specification, shortened: as printed but for what is given. */
function example(namespace: string, end: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:csx=${namespace} >
<channel>
<lastBuildDate>Mon, 2 Oct. 2006 12:35:12</lastBuildDate>
<item csx:hiddenItem="true">
<guid>slideshow.xml</guid>
<csx:lastBuildDate>Mon, 2 Oct. 2006 12:35:12</csx:lastBuildDate>
<csx:link nestedFeed="true">slideshow.xml</${end}>
</item>
</channel>
</rss>`;
}

describe('the example of the specification', () => {
  const namespace = 'http://schemas.microsoft.com/rss/2007/contentsyncextensions';

  test('is not well-formed as printed, and says where', () => {
    expect(refusal(() => readFeed(example(namespace, 'csx:Link')))).toMatchObject({
      rule: 'xml-well-formed',
      line: 2,
      column: 30,
    });
    expect(refusal(() => readFeed(example(`"${namespace}"`, 'csx:Link')))).toMatchObject({
      rule: 'xml-well-formed',
      line: 8,
      column: 52,
    });
  });

  test('is read once it is mended', () => {
    const { feed, violations } = readFeed(example(`"${namespace}"`, 'csx:link'));
    const [item] = feed.items;
    expect(feed.lastBuildDate).toBe('2006-10-02T12:35:12Z');
    expect(item).toEqual({
      id: 'slideshow.xml',
      lastBuildDate: '2006-10-02T12:35:12Z',
      hidden: true,
      links: [{ url: 'http://site.example/feeds/slideshow.xml', nestedFeed: true, onDemand: false }],
    });
    expect(violations.map(({ rule, section }) => `${section}: ${rule}`)).toEqual([
      'CSE csx:lastBuildDate: cse-last-build-date-syntax',
    ]);
  });
});
