import { sseNamespaces } from './namespace.ts';
import { sseDialect } from './dialect.ts';
import { describe, expect, test } from '@jest/globals';
import { refusal } from '../../../feedsync/src/xml/__fixtures__/reading.ts';
import { describeFeed, writeFeedEnd, writeFeedStart, readContent } from '#xml';
import { scan } from './__fixtures__/reading.ts';

const description = {
  title: 'To & <do>&nbsp;',
  id: 'urn:uuid:1',
  selfUrl: 'http://example.com/feed?a=1&b="2"',
  updated: '2026-01-02T03:04:05Z',
  author: 'A',
  sharing: {
    since: '2025-12-02T03:04:05Z',
    until: '2026-01-02T03:04:05Z',
    version: '0.91',
    window: 30,
    related: [
      {
        link: 'http://example.com/all?a&b',
        type: 'complete' as const,
        title: '"All"\t& more',
        since: '2020-01-01T00:00:00Z',
        until: '2026-01-02T03:04:05Z',
      },
    ],
  },
};
const emptyFeed = (format: 'rss' | 'opml') =>
  writeFeedStart(describeFeed({ format, ...description }), sseDialect) + writeFeedEnd(format);

describe.each(['rss', 'opml'] as const)('a feed of our own in %s', (format) => {
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

  test.each(['https', 'http'] as const)('is written with the %s form of the namespace', (namespace) => {
    const head = describeFeed({ format, ...description, namespaces: [['sx', sseNamespaces[namespace]]] });
    expect(writeFeedStart(head, sseDialect)).toContain(
      ` xmlns:sx="${namespace}://www.microsoft.com/schemas/rss/sse" xmlns:fm="urn:feedmesh:position">`,
    );
  });

  test('has the version 0.91 if the sharing names none', () => {
    const head = describeFeed({ format, ...description, sharing: { related: [] } });
    expect(writeFeedStart(head, sseDialect)).toContain('<sx:sharing version="0.91"/>');
  });

  test('has foreign markup', () => {
    const head = describeFeed({ format, ...description, markup: ['<x:y xmlns:x="urn:x">1</x:y>'] });
    expect(scan(writeFeedStart(head, sseDialect) + writeFeedEnd(format)).head.children.at(-1)).toMatchObject({
      namespace: 'urn:x',
      name: 'y',
    });
  });

  test('refuses a character that XML forbids', () => {
    expect(refusal(() => describeFeed({ format, ...description, title: '\u0001' })).rule).toBe(
      'xml-character',
    );
  });
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
  expect(emptyFeed('rss')).toContain(
    '<atom:link rel="self" type="application/rss+xml" href="http://example.com/feed?a=1&amp;b=&quot;' +
      '2&quot;"/>',
  );
});

test('an OPML head has its title and its date', () => {
  expect(emptyFeed('opml')).toContain(
    '<head><title>To &#x26; &#x3C;do&gt;&#x26;nbsp;</title><dateModified>Fri, 02 Jan 2026 03:04:05 GMT' +
      '</dateModified><sx:sharing ',
  );
});

describe('a head that was read is written with its meaning', () => {
  test.each([
    [
      'RSS',
      '<rss version="2.0" xmlns:sx="http://www.microsoft.com/schemas/rss/sse" ' +
        'xmlns:fm="urn:feedmesh:position"><channel><title>T</title><x:y xmlns:x="urn:x"/>' +
        '<sx:sharing version="0.91" window="7"/></channel></rss>',
    ],
    [
      'OPML',
      '<opml version="1.0" xmlns:sx="https://www.microsoft.com/schemas/rss/sse" ' +
        'xmlns:fm="urn:feedmesh:position"><head><title>T</title><ownerName>N</ownerName>' +
        '<x:y xmlns:x="urn:x"/></head><body/></opml>',
    ],
  ])('%s', (_format, document) => {
    const { head } = scan(document);
    const { scope, ...written } = scan(writeFeedStart(head, sseDialect) + writeFeedEnd(head.format)).head;
    expect({ ...written, scope: head.scope }).toEqual(head);
    expect(scope.namespaces).toEqual(expect.arrayContaining([...head.scope.namespaces]));
  });

  test('in the form of the namespace that its document has, under another prefix too', () => {
    const { head } = scan(
      '<rss version="2.0" xmlns:s="http://www.microsoft.com/schemas/rss/sse"><channel><title>T</title>' +
        '</channel></rss>',
    );
    expect(writeFeedStart(head, sseDialect)).toMatch(
      /^<\?xml.*\n<rss version="2\.0"[^>]* xmlns:sx="http:\/\/www\.microsoft\.com\/schemas\/rss\/sse"/,
    );
  });
});
