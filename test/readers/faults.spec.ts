import { describe, expect, test } from '@jest/globals';
import { atomFaults } from './atom-faults.ts';
import { rssFaults } from './rss-faults.ts';

const url = 'http://here.example/feed';
const self = (type: string): string => `rel="self" type="application/${type}+xml" href="${url}"/>`;
const atomEntry =
  '<entry><title>T</title><id>urn:a:1</id><updated>2026-01-01T00:00:00Z</updated><content>C</content>' +
  '</entry>';
const atom = (entries: string): string =>
  '<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><id>urn:a:b</id>' +
  `<updated>2026-01-02T00:00:00Z</updated><link ${self('atom')}<author><name>A</name>` +
  `</author>${entries}</feed>`;
const rssItem =
  '<item><title>T</title><guid isPermaLink="false">1</guid><pubDate>Fri, 02 Jan 2026 03:04:05 GMT' +
  '</pubDate></item>';
const rss = (items: string): string =>
  '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>T</title>' +
  '<link>http://a.example/</link><description>D</description>' +
  '<lastBuildDate>Fri, 02 Jan 2026 03:04:05 GMT</lastBuildDate>' +
  `<atom:link ${self('rss')}${items}</channel></rss>`;

test('feeds without faults have none', () => {
  expect([atomFaults(atom(atomEntry), url), rssFaults(rss(rssItem), url)]).toEqual([[], []]);
});

describe('faults that were planted are found', () => {
  test.each<[string, (feed: string) => string]>([
    ['does not say where it is', (feed) => feed.replace('rel="self"', 'rel="alternate"')],
    ['has more than one title', (feed) => feed.replace('<title>', '<title>A</title><title>')],
    ['has no updated', (feed) => feed.replace('<updated>2026-01-01T00:00:00Z</updated>', '')],
    ['has an updated that is no date', (feed) => feed.replace('2026-01-01T00', '2026-02-30T00')],
    ['has no author', (feed) => feed.replace('<author><name>A</name></author>', '')],
    ['neither content nor an alternate link', (feed) => feed.replace('<content>C</content>', '')],
    ['is text that looks like markup', (feed) => feed.replace('>C<', '>a &lt;b&gt;<')],
    [
      'has relative references: x',
      (feed) => feed.replace('<content>C', '<content type="html">&lt;a href="x"&gt;'),
    ],
    ['is of the type xhtml', (feed) => feed.replace('<content>', '<content type="xhtml">')],
    ['is blank', (feed) => feed.replace('>C<', '> <')],
    [
      'two entries with the same id',
      (feed) => feed.replace(atomEntry, atomEntry + atomEntry.replace('00:00:00', '00:00:01')),
    ],
    [
      'two entries with the same updated',
      (feed) => feed.replace(atomEntry, atomEntry + atomEntry.replace('urn:a:1', 'urn:a:2')),
    ],
    [
      'holds {http://feedsync.org/2007/feedsync}sync',
      (feed) => feed.replace('</entry>', '<sync xmlns="http://feedsync.org/2007/feedsync"/></entry>'),
    ],
    ['leads to x', (feed) => feed.replace('</entry>', '<link href="x"/></entry>')],
    [
      'was published after its last update',
      (feed) => feed.replace('</entry>', '<published>2026-01-01T00:00:01Z</published></entry>'),
    ],
    ['newer than itself', (feed) => feed.replace('2026-01-01', '2026-01-03')],
    ['metadata after its first entry', (feed) => feed.replace('</feed>', '<rights>R</rights></feed>')],
  ])('in Atom: %s', (fault, plant) => {
    expect(atomFaults(plant(atom(atomEntry)), url).join('\n')).toContain(fault);
  });

  test.each<[string, (feed: string) => string]>([
    ['does not say where it is', (feed) => feed.replace('rel="self"', 'rel="alternate"')],
    [
      'sets a default namespace',
      (feed) =>
        feed.replace(
          '</item>',
          '<link xmlns="http://www.w3.org/2005/Atom" rel="edit" href="http://a.example/"/></item>',
        ),
    ],
    ['may take for markup', (feed) => feed.replace('<item><title>T', '<item><title>a &lt;b')],
    ['has no title', (feed) => feed.replace('<item><title>T</title>', '<item>')],
    ['has no guid', (feed) => feed.replace('<guid isPermaLink="false">1</guid>', '')],
    ['a guid that is no permanent link', (feed) => feed.replace(' isPermaLink="false"', '')],
    ['two items with the same guid', (feed) => feed.replace(rssItem, rssItem + rssItem)],
    ['has the pubDate Sat, 02', (feed) => feed.replace('<pubDate>Fri', '<pubDate>Sat')],
    ['has the link x', (feed) => feed.replace('</item>', '<link>x</link></item>')],
    [
      'has more than one enclosure',
      (feed) =>
        feed.replace(
          '</item>',
          '<enclosure url="http://a.example/" length="1" type="a/b"/>' +
            '<enclosure url="http://a.example/" length="1" type="a/b"/></item>',
        ),
    ],
    [
      'has an enclosure of the length undefined',
      (feed) => feed.replace('</item>', '<enclosure url="http://a.example/" type="a/b"/></item>'),
    ],
    [
      'has relative references: x',
      (feed) => feed.replace('</item>', '<description>&lt;img src="x"&gt;</description></item>'),
    ],
    [
      'holds {http://feedsync.org/2007/feedsync}sync',
      (feed) => feed.replace('</item>', '<sx:sync xmlns:sx="http://feedsync.org/2007/feedsync"/></item>'),
    ],
    ['metadata after its first item', (feed) => feed.replace('</channel>', '<ttl>5</ttl></channel>')],
  ])('in RSS: %s', (fault, plant) => {
    expect(rssFaults(plant(rss(rssItem)), url).join('\n')).toContain(fault);
  });
});
