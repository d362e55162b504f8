import { feedsyncDialect } from './dialect.ts';
import { describe, expect, test } from '@jest/globals';
import { refusal, scan } from './__fixtures__/reading.ts';
import { atomToDoList, rssToDoList } from './__fixtures__/to-do-list.ts';
import { describeFeed, writeFeedEnd, writeFeedStart, readContent } from '#xml';
import type { Format } from '#xml';

const description = {
  title: 'To & <do>&nbsp;&amp;',
  id: 'urn:uuid:1',
  selfUrl: 'http://example.com/feed?a=1&b="2"',
  updated: '2026-01-02T03:04:05Z',
  author: 'A\tB\r\nC',
  sharing: {
    since: '0',
    until: '9',
    expires: '2026-01-09T03:04:05Z',
    related: [{ link: 'http://example.com/all?a&b', type: 'complete' as const, title: '"All"\t\r\n& more' }],
  },
};
const emptyFeed = (format: Format) =>
  writeFeedStart(describeFeed({ format, ...description }), feedsyncDialect) + writeFeedEnd(format);

describe.each(['atom', 'rss'] as const)('a feed of our own in %s', (format) => {
  test('says title and sharing, without a violation', () => {
    const { head, fragments } = scan(emptyFeed(format));
    expect(head).toMatchObject({
      format,
      title: description.title,
      sharing: description.sharing,
      violations: [],
    });
    expect(fragments).toEqual([]);
  });

  test('refuses a character that XML forbids', () => {
    expect(refusal(() => describeFeed({ format, ...description, title: '\u0001' })).rule).toBe(
      'xml-character',
    );
  });

  test('refuses markup that is not well-formed', () => {
    expect(refusal(() => describeFeed({ format, ...description, markup: ['<a>'] })).rule).toBe(
      'xml-well-formed',
    );
  });

  test('has no sharing if none is given', () => {
    expect(
      scan(
        writeFeedStart(describeFeed({ format, ...description, sharing: undefined }), feedsyncDialect) +
          writeFeedEnd(format),
      ).head.sharing,
    ).toBeUndefined();
  });
});

test('an Atom feed has what RFC 4287 requires', () => {
  const { children } = scan(emptyFeed('atom')).head;
  const said = new Map(children.map((child) => [child.name, readContent(child.xml)]));
  expect([...said.keys()]).toEqual(['title', 'id', 'link', 'updated', 'author']);
  expect(said.get('link')?.attributes.get('href')).toBe(description.selfUrl);
  expect(said.get('author')?.text).toBe(description.author);
});

test('an RSS channel has what RSS 2.0 requires', () => {
  const { children } = scan(emptyFeed('rss')).head;
  expect(children.map((child) => [child.name, readContent(child.xml).text])).toEqual([
    ['title', description.title],
    ['link', description.selfUrl],
    ['description', description.title],
    ['lastBuildDate', 'Fri, 02 Jan 2026 03:04:05 GMT'],
    ['link', ''],
  ]);
});

test.each([
  ['Atom', atomToDoList],
  ['RSS', rssToDoList],
])('a head that was read is written with its meaning (%s)', (_format, feed) => {
  const { head } = scan(feed);
  const { scope, ...written } = scan(writeFeedStart(head, feedsyncDialect) + writeFeedEnd(head.format)).head;
  expect({ ...written, scope: head.scope }).toEqual(head);
  expect(scope.namespaces).toEqual(expect.arrayContaining([...head.scope.namespaces]));
});

test('an RSS channel has Atom by its prefix, and plain text that no reader takes for markup', () => {
  const feed = emptyFeed('rss');
  expect(feed).toContain(
    '<atom:link rel="self" type="application/rss+xml" href="http://example.com/feed?a=1&amp;b=&quot;' +
      '2&quot;"/>',
  );
  expect(feed).not.toContain('<link xmlns');
  expect(feed).toContain('<title>To &#x26; &#x3C;do&gt;&#x26;nbsp;&#x26;amp;</title>');
});

test('a head that has the prefix for something else keeps its meaning', () => {
  const { head } = scan(
    '<rss version="2.0" xmlns:atom="urn:x"><channel><title>T</title><atom:y/></channel></rss>',
  );
  expect(
    scan(writeFeedStart(head, feedsyncDialect) + writeFeedEnd('rss')).head.children.at(-1),
  ).toMatchObject({
    namespace: 'urn:x',
    name: 'y',
  });
});

test('the children of a head keep the bindings, base and language they had, and give them to no item', () => {
  const { head } = scan(
    '<a:feed xmlns:a="http://www.w3.org/2005/Atom" xmlns:x="urn:x" xml:base="http://example.com/" ' +
      'xml:lang="de"><a:title>x:y</a:title></a:feed>',
  );
  expect(writeFeedStart(head, feedsyncDialect)).toBe(
    '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" ' +
      'xmlns:sx="http://feedsync.org/2007/feedsync">' +
      '<a:title xmlns="" xmlns:a="http://www.w3.org/2005/Atom" xmlns:x="urn:x" ' +
      'xml:base="http://example.com/" xml:lang="de">x:y</a:title>',
  );
});
