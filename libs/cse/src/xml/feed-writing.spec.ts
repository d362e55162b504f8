import { expect, test } from '@jest/globals';
import { refusal } from '../../../feedsync/src/xml/__fixtures__/reading.ts';
import { readFeed } from './__fixtures__/reading.ts';
import { writeCseFeedEnd, writeCseFeedStart } from './feed-writing.ts';

const description = {
  title: 'T & <T>',
  selfUrl: 'http://ours.example/feeds/c.rss?a&b',
  lastBuildDate: '2026-01-02T03:04:05.678Z',
  head: [],
};
const self =
  '<atom:link rel="self" type="application/rss+xml" href="http://ours.example/feeds/c.rss?a&amp;b"/>';
const start =
  '<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" ' +
  'xmlns:csx="http://schemas.microsoft.com/rss/2007/contentsyncextensions"><channel>';

test('a feed has title, link, description and the date of its newest item', () => {
  expect(writeCseFeedStart(description)).toBe(
    `${start}<title>T &amp; &lt;T&gt;</title><link>http://ours.example/feeds/c.rss?a&amp;b</link>` +
      '<description>T &amp; &lt;T&gt;</description><lastBuildDate>Fri, 02 Jan 2026 03:04:05 GMT' +
      `</lastBuildDate>${self}`,
  );
});

test(
  'link and description are those of the head if it has them; what we write ourselves, and an item, is ' +
    'left out of it',
  () => {
    const head = [
      '<link>l</link>',
      '<link>m</link>',
      '<description>D</description>',
      '<x:link xmlns:x="urn:x"/>',
      '<title>No</title>',
      '<lastBuildDate>No</lastBuildDate>',
      '<item/>',
    ];
    expect(writeCseFeedStart({ ...description, title: 'T', head })).toBe(
      `${start}<title>T</title><lastBuildDate>Fri, 02 Jan 2026 03:04:05 GMT</lastBuildDate>${self}<link>l` +
        '</link><link>m</link><description>D</description><x:link xmlns:x="urn:x"/>',
    );
  },
);

test('a feed in which nothing has been published has no date', () => {
  const { title, selfUrl } = description;
  const written = writeCseFeedStart({ title, selfUrl, head: [] }) + writeCseFeedEnd();
  expect(written).not.toContain('lastBuildDate');
  expect(readFeed(written)).toMatchObject({
    feed: { lastBuildDate: '1601-01-01T00:00:00Z', items: [] },
    head: { title },
  });
});

test.each([
  ['a character that XML forbids', { title: '\u0000' }, 'xml-character'],
  ['a head that is not well-formed', { head: ['<a>'] }, 'xml-well-formed'],
  ['a head with a prefix that it does not declare', { head: ['<csx:a/>'] }, 'xml-well-formed'],
])('%s is refused', (_case, change, rule) => {
  expect(refusal(() => writeCseFeedStart({ ...description, ...change })).rule).toBe(rule);
});
