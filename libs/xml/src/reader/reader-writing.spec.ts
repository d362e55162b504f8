import { describe, expect, test } from '@jest/globals';
import { writeReaderEntry } from './reader-writing.ts';
import type { ReaderEntry } from './reader-entry.ts';

const entry = (change: Partial<ReaderEntry> = {}): ReaderEntry => ({
  id: 'urn:uuid:1',
  published: '2026-01-02T03:04:05Z',
  updated: '2026-01-02T03:04:06.000007Z',
  authors: [],
  categories: [],
  enclosures: [],
  ...change,
});
const text = (value: string) => ({ type: 'text', value }) as const;
const html = (value: string) => ({ type: 'html', value }) as const;

describe('an entry in Atom', () => {
  test('has everything in the order of readers', () => {
    expect(
      writeReaderEntry(
        'atom',
        entry({
          title: 'T',
          link: 'http://a.example/?a&b',
          content: html('<p>C</p>'),
          summary: text('S'),
          rights: 'R',
          language: 'de',
          authors: [{ name: 'Ann', uri: 'http://a.example/', email: 'a@a.example' }],
          categories: [{ term: 't', scheme: 'http://a.example/s', label: 'L' }],
          enclosures: [{ url: 'http://a.example/b', length: 7, type: 'audio/mpeg' }],
        }),
      ),
    ).toBe(
      [
        '<entry xml:lang="de"><title>T</title><link rel="alternate" href="http://a.example/?a&amp;b"/>' +
          '<link rel="enclosure" href="http://a.example/b" length="7" type="audio/mpeg"/>',
        '<id>urn:uuid:1</id><published>2026-01-02T03:04:05Z</published>' +
          '<updated>2026-01-02T03:04:06.000007Z</updated><author><name>Ann</name>' +
          '<uri>http://a.example/</uri><email>a@a.example</email></author>',
        '<category term="t" scheme="http://a.example/s" label="L"/><rights>R</rights><summary>S</summary>' +
          '<content type="html">&lt;p&gt;C&lt;/p&gt;</content></entry>\n',
      ].join(''),
    );
  });

  test('writes text that looks like markup as HTML, and keeps its lines', () => {
    const written = writeReaderEntry(
      'atom',
      entry({ title: 'A <b> & c', content: text('one\ntwo <three>') }),
    );
    expect(written).toContain('<title type="html">A &amp;lt;b&gt; &amp;amp; c</title>');
    expect(written).toContain('<content type="html">one&lt;br&gt;\ntwo &amp;lt;three&gt;</content>');
  });

  test.each([
    [
      'the beginning of its text',
      { content: html(`<p>${'word '.repeat(40)}</p>`), link: 'http://a.example/' },
      `${'word '.repeat(15)}word\u2026`,
    ],
    ['its summary before its content', { content: text('C'), summary: text('S') }, 'S'],
    [
      'its link',
      { content: html('<img src="http://a.example/i">'), link: 'http://a.example/' },
      'http://a.example/',
    ],
    ['its id', {}, 'urn:uuid:1'],
  ])('without a title is called by %s', (_what, change, title) => {
    expect(writeReaderEntry('atom', entry(change))).toContain(`<title>${title}</title>`);
  });

  test('always has content, its title if there is no other', () => {
    expect(writeReaderEntry('atom', entry({ title: 'T', link: 'http://a.example/' }))).toContain(
      '<content>T</content>',
    );
  });
});

describe('an entry in RSS', () => {
  test(
    'has the summary as its description if the whole content is beside it, and more enclosures ' +
      'as Atom links',
    () => {
      expect(
        writeReaderEntry(
          'rss',
          entry({
            title: 'A <b> & c',
            link: 'http://a.example/?a&b',
            content: html('<p>C</p>'),
            summary: text('S\nT'),
            authors: [{ name: 'Ann', email: 'a@a.example' }],
            categories: [{ term: 't', scheme: 'http://a.example/s', label: 'L & M' }],
            enclosures: [{ url: 'ftp://a.example/a' }, { url: 'http://a.example/b' }],
          }),
        ),
      ).toBe(
        [
          '<item><title>A &#x3C;b&gt; &#x26; c</title><link>http://a.example/?a&#x26;b</link>' +
            '<description>S&lt;br&gt;\nT</description><content:encoded>&lt;p&gt;C&lt;/p&gt;' +
            '</content:encoded>',
          '<dc:creator>Ann</dc:creator><category domain="http://a.example/s">L &#x26; M</category>' +
            '<enclosure url="http://a.example/b" length="0" type="application/octet-stream"/>',
          '<atom:link rel="enclosure" href="ftp://a.example/a"/><guid isPermaLink="false">urn:uuid:1</guid>' +
            '<pubDate>Fri, 02 Jan 2026 03:04:05 GMT</pubDate>' +
            '<atom:updated>2026-01-02T03:04:06.000007Z</atom:updated></item>\n',
        ].join(''),
      );
    },
  );

  test('has no description without content', () => {
    expect(writeReaderEntry('rss', entry({ title: 'T' }))).not.toContain('description');
  });
});
