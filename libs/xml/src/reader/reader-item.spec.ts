import { describe, expect, test } from '@jest/globals';
import { readPayload } from '../payload-reading.ts';
import { finish } from '../steps.ts';
import { readReaderItem } from './reader-item.ts';
import type { ReaderItem } from './reader-item.ts';

const address = 'http://here.example/feeds/c/reader';
const entry = (children: string, attributes = ''): ReaderItem =>
  finish(
    readReaderItem(
      readPayload(
        `<entry xmlns="http://www.w3.org/2005/Atom" xmlns:x="urn:x"${attributes}>${children}</entry>`,
      ),
      address,
    ),
  );
const item = (children: string, attributes = ''): ReaderItem => {
  const modules =
    'xmlns:content="http://purl.org/rss/1.0/modules/content/" ' +
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:a="http://www.w3.org/2005/Atom"';
  return finish(readReaderItem(readPayload(`<item ${modules}${attributes}>${children}</item>`), address));
};

const nothing = { authors: [], categories: [], enclosures: [] };

describe('an Atom entry for feed readers', () => {
  test("has its values and no foreign markup, nor anything that is the publisher's", () => {
    expect(
      entry(
        `<title>T</title><content>C</content><summary>S</summary><rights>R</rights>
        <id>urn:1</id><updated>2026-01-01T00:00:00Z</updated>
        <link href="http://a.example/"/><link rel="edit" href="http://a.example/edit"/>
        <link rel="enclosure" href="http://a.example/b.mp3" length="7" type="audio/mpeg"/>
        <category term="t" scheme="http://a.example/s" label="L"/>
        <category term="t" scheme="http://a.example/s"/><category term=" "/><x:due>now</x:due>`,
        ' xml:lang="de"',
      ),
    ).toEqual({
      title: 'T',
      link: 'http://a.example/',
      content: { type: 'text', value: 'C' },
      summary: { type: 'text', value: 'S' },
      rights: 'R',
      language: 'de',
      authors: [],
      categories: [{ term: 't', scheme: 'http://a.example/s' }],
      enclosures: [{ url: 'http://a.example/b.mp3', length: 7, type: 'audio/mpeg' }],
    });
  });

  test('has a title in plain characters, on one line', () => {
    expect(entry('<title type="html"> A &amp;lt;b> &lt;i>c&lt;/i>\n d</title>')).toEqual({
      ...nothing,
      title: 'A <b> c d',
    });
    expect(
      entry('<title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">A <b>x</b></div></title>').title,
    ).toBe('A x');
    expect(entry('<title> </title>')).toEqual(nothing);
  });

  test('has its references made absolute, by the base that is in force', () => {
    const read = entry(
      '<link href="p"/><content type="html" xml:base="in/">&lt;a href="x">&lt;/a></content>',
      ' xml:base="http://a.example/b/"',
    );
    expect(read).toMatchObject({
      link: 'http://a.example/b/p',
      content: { type: 'html', value: '<a href="http://a.example/b/in/x"></a>' },
    });
    expect(
      entry(
        '<content type="xhtml" xml:base="/in/"><div xmlns="http://www.w3.org/1999/xhtml"><img src="x"/>' +
          '</div></content>',
        ' xml:base="http://a.example/b/"',
      ).content?.value,
    ).toBe('<img src="http://a.example/in/x">');
  });

  test('that has no base has them for the page that it links to, else for the feed', () => {
    const content = '<content type="html">&lt;img src="x"></content>';
    expect(entry(`<link href="http://a.example/b/"/>${content}`).content?.value).toBe(
      '<img src="http://a.example/b/x">',
    );
    expect(entry(content).content?.value).toBe('<img src="http://here.example/feeds/c/x">');
  });

  test('leads to content that is stored elsewhere, and leaves out what no reader shows', () => {
    expect(entry('<content src="http://a.example/c.pdf" type="application/pdf"/>')).toEqual({
      ...nothing,
      link: 'http://a.example/c.pdf',
    });
    expect(entry('<content type="application/xml"><x:a/></content><summary>S</summary>')).toEqual({
      ...nothing,
      content: { type: 'text', value: 'S' },
    });
    expect(entry('<content type="image/png">iVBORw0KGgo=</content><link href="javascript:x"/>')).toEqual(
      nothing,
    );
  });

  test('has its authors with what is valid of them', () => {
    const authors = entry(
      '<author><name> Ann\n</name><email>ann@a.example</email><uri>http://a.example/</uri></author>' +
        '<author><email>b@b.example</email></author><author><name>C</name><email>none</email>' +
        '<uri>#</uri></author><author><x:a/></author>',
    ).authors;
    expect(authors).toEqual([
      { name: 'Ann', email: 'ann@a.example', uri: 'http://a.example/' },
      { name: 'b@b.example', email: 'b@b.example' },
      { name: 'C', uri: 'http://here.example/feeds/c/reader#' },
    ]);
  });
});

describe('an RSS item for feed readers', () => {
  test('has its values', () => {
    expect(
      item(`<title>A &amp;amp; b</title><link> http://a.example/ </link>
        <description>&lt;p>D&lt;/p></description><category domain="http://a.example/d">c</category>
        <enclosure url="http://a.example/b.mp3" length="x" type="audio"/>
        <author>ann@a.example (Ann)</author>
        <guid>1</guid><pubDate>Fri, 02 Jan 2026 03:04:05 GMT</pubDate>`),
    ).toEqual({
      title: 'A &amp; b',
      link: 'http://a.example/',
      content: { type: 'html', value: '<p>D</p>' },
      authors: [{ name: 'Ann', email: 'ann@a.example' }],
      categories: [{ term: 'c', scheme: 'http://a.example/d' }],
      enclosures: [{ url: 'http://a.example/b.mp3' }],
    });
  });

  test('has the whole content if its description is only a summary', () => {
    const read = item(
      '<description>Short</description><content:encoded>&lt;p>Long &lt;a href="x">&lt;/a>&lt;/p>' +
        '</content:encoded><dc:creator>Ann</dc:creator>',
      ' xml:base="http://a.example/"',
    );
    expect(read).toEqual({
      ...nothing,
      content: { type: 'html', value: '<p>Long <a href="http://a.example/x"></a></p>' },
      summary: { type: 'text', value: 'Short' },
      authors: [{ name: 'Ann' }],
    });
    expect(item('<description>&lt;b></description><content:encoded>&lt;b></content:encoded>')).toEqual({
      ...nothing,
      content: { type: 'html', value: '<b>' },
    });
  });

  test('has what an Atom peer has said of it', () => {
    expect(
      item(
        '<description>plain</description><a:summary>S</a:summary><a:author><a:name>Ann</a:name></a:author>',
      ),
    ).toEqual({
      ...nothing,
      content: { type: 'text', value: 'plain' },
      summary: { type: 'text', value: 'S' },
      authors: [{ name: 'Ann' }],
    });
  });
});
