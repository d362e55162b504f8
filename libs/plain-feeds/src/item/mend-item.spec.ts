import { describe, expect, test } from '@jest/globals';
import { describeItem, fieldsOfPayload, readPayload } from '#xml';
import { mendItem } from './mend-item.ts';
import type { FeedContext } from './feed-context.ts';

const modules =
  'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/" ' +
  'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" ' +
  'xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom"';
const nothing: FeedContext = { children: [], scope: { namespaces: [] } };

function shown(xml: string, feed: FeedContext) {
  const payload = mendItem(readPayload(xml), feed);
  const { payload: _payload, ...fields } = fieldsOfPayload(payload);
  return { ...fields, ...describeItem(payload) };
}

const rss = (children: string, feed = nothing) => shown(`<item ${modules}>${children}</item>`, feed);
const atom = (children: string, feed = nothing) =>
  shown(`<entry xmlns="http://www.w3.org/2005/Atom" ${modules}>${children}</entry>`, feed);

describe('a title of RSS', () => {
  test.each([
    ['It&amp;#8217;s &amp;uuml;ber', 'It’s über'],
    ['Q&amp;amp;A', 'Q&A'],
    ['&lt;i&gt;Drosophila&lt;/i&gt; atlas', 'Drosophila atlas'],
    ['A <b>bold</b> move<br/>again', 'A bold move again'],
    ['&lt;img src="http://a.example/b.png"&gt; News', 'News'],
    ['The &lt;b&gt; tag', 'The <b> tag'],
    ['&amp;lt;b&amp;gt; is bold', '<b> is bold'],
    ['Use git &amp; win', 'Use git & win'],
  ])('%s is %j', (written, title) => {
    expect(rss(`<title>${written}</title>`)).toEqual({ title });
  });
});

test('a title of Atom in plain text is what it says (RFC 4287 3.1.1.1)', () => {
  expect(atom('<title>It&amp;#8217;s &amp;lt;b&amp;gt;</title>')).toEqual({ title: 'It&#8217;s &lt;b&gt;' });
});

test.each([
  ['<description>Before <img src="http://a.example/1.png"/> &amp; <a href="b">link</a></description>'],
  [
    '<content:encoded>Before <img src="http://a.example/1.png"/> &amp; ' +
      '<a href="b">link</a></content:encoded>',
  ],
])('markup in %s is the HTML of the item', (written) => {
  expect(rss(written)).toEqual({
    content: 'Before <img src="http://a.example/1.png"> &amp; <a href="b">link</a>',
  });
});

test.each([
  ['<content type="html"><p>One</p></content>', '<p>One</p>'],
  ['<content type="xhtml"><p xmlns="http://www.w3.org/1999/xhtml">One</p></content>', '<p>One</p>'],
  ['<content type="xhtml"><div><p>One</p></div></content>', '<p>One</p>'],
  ['<content type="TEXT/HTML">&lt;p&gt;One&lt;/p&gt;</content>', '<p>One</p>'],
])('%s is HTML', (written, content) => {
  expect(atom(written)).toEqual({ content, contentType: 'html' });
});

describe('elements of modules stand in for those that an item lacks:', () => {
  test('Media RSS', () => {
    expect(
      atom(
        '<title>Video</title><media:group><media:content url="http://a.example/1.mp4" type="video/mp4" ' +
          'fileSize="7"/><media:thumbnail url="http://a.example/1.jpg"/>' +
          '<media:description>About it</media:description></media:group>',
      ),
    ).toEqual({
      title: 'Video',
      content: 'About it',
      enclosures: [{ url: 'http://a.example/1.mp4', type: 'video/mp4', length: 7 }],
      image: 'http://a.example/1.jpg',
    });
  });

  test('Dublin Core', () => {
    expect(
      rss(
        '<dc:title>T</dc:title><dc:description>D</dc:description><dc:creator>Ann</dc:creator>' +
          '<dc:date>2026-11-02</dc:date><dc:identifier>http://a.example/1</dc:identifier>' +
          '<dc:subject>s</dc:subject>',
      ),
    ).toEqual({
      title: 'T',
      content: 'D',
      link: 'http://a.example/1',
      categories: ['s'],
      authors: [{ name: 'Ann' }],
      published: '2026-11-02T00:00:00Z',
    });
  });

  test('podcasts', () => {
    expect(
      rss(
        '<itunes:title>T</itunes:title><itunes:summary>S</itunes:summary><itunes:author>Ann</itunes:author>' +
          '<itunes:image href="http://a.example/1.jpg"/>',
      ),
    ).toEqual({ title: 'T', content: 'S', authors: [{ name: 'Ann' }], image: 'http://a.example/1.jpg' });
  });

  test('a body in XHTML is the content, beside a description that is a summary', () => {
    const body = '<body xmlns="http://www.w3.org/1999/xhtml"><p>Whole</p></body>';
    expect(rss(body)).toEqual({ content: '<p>Whole</p>' });
    expect(rss(`<description>Short</description>${body}`)).toEqual({
      content: '<p>Whole</p>',
      summary: 'Short',
    });
  });

  test('and not for those that it has', () => {
    expect(rss('<title>A</title><dc:title>B</dc:title><description>C</description>')).toEqual({
      title: 'A',
      content: 'C',
    });
  });
});

describe('a link', () => {
  test.each([
    ['<guid>http://a.example/1</guid>', 'http://a.example/1'],
    ['<link/><guid isPermaLink="true">http://a.example/1</guid>', 'http://a.example/1'],
    ['<link href="http://a.example/1"/>', 'http://a.example/1'],
    ['<link> feed:http://a.example/1 </link>', 'http://a.example/1'],
    ['<atom:link href="http://a.example/1"/>', 'http://a.example/1'],
    ['<guid isPermaLink="false">http://a.example/1</guid>', undefined],
  ])('of RSS in %s', (written, link) => {
    expect(rss(written).link).toBe(link);
  });

  test('of RSS is relative to the page of the feed', () => {
    const page = { namespace: '', name: 'link', xml: '<link>http://a.example/blog/</link>' };
    const feed = { children: [page], scope: { namespaces: [] } };
    expect(rss('<link>1.html</link>', feed).link).toBe('http://a.example/blog/1.html');
  });

  test.each(['ALTERNATE', ' http://www.iana.org/assignments/relation/alternate'])(
    'of Atom of relation %j is that of the item',
    (relation) => {
      expect(atom(`<link rel="${relation}" href=" http://a.example/1"/>`).link).toBe('http://a.example/1');
    },
  );

  test.each(['<enclosure url=" " length="1" type="audio/mpeg"/>', '<enclosure/>', '<link> </link>'])(
    'without an address, %s, is left out',
    (written) => {
      expect(rss(`<title>A</title>${written}`)).toEqual({ title: 'A' });
    },
  );
});

describe('authors', () => {
  test.each([
    ['<author>ann@a.example (Ann Lee)</author>', { name: 'Ann Lee', email: 'ann@a.example' }],
    ['<author>Ann Lee &lt;ann@a.example&gt;</author>', { name: 'Ann Lee', email: 'ann@a.example' }],
    ['<author>ann@a.example</author>', { name: 'ann@a.example', email: 'ann@a.example' }],
    [
      '<author><name>Ann</name><email>ann@a.example</email></author>',
      { name: 'Ann', email: 'ann@a.example' },
    ],
    ['<dc:creator>Ann &amp;amp; Bo</dc:creator>', { name: 'Ann & Bo' }],
    ['<atom:author><atom:name>Ann</atom:name></atom:author>', { name: 'Ann' }],
  ])('%s', (written, author) => {
    expect(rss(written).authors).toEqual([author]);
  });

  test('of an entry of Atom are those of its source, else those of its feed (RFC 4287 4.2.1)', () => {
    const namespace = 'http://www.w3.org/2005/Atom';
    const author = { namespace, name: 'author', xml: '<author><name>Feed</name></author>' };
    const feed = { children: [author], scope: { namespaces: [['', namespace]] as const } };
    const source = '<source><author><name>Source</name></author></source>';
    expect(atom('<title>A</title>', feed).authors).toEqual([{ name: 'Feed' }]);
    expect(atom(source, feed).authors).toEqual([{ name: 'Source' }]);
    expect(atom(`<author><name>Own</name></author>${source}`, feed).authors).toEqual([{ name: 'Own' }]);
  });
});

test.each(['https://search.yahoo.com/mrss/', 'http://search.yahoo.com/mrss'])(
  'the namespace %s is that of Media RSS',
  (namespace) => {
    const group = '<m:group><m:thumbnail url="http://a.example/1.jpg"/></m:group>';
    const xml = `<item xmlns:m="${namespace}">${group}</item>`;
    expect(shown(xml, nothing).image).toBe('http://a.example/1.jpg');
  },
);

test('each category is there once, and no empty one', () => {
  expect(rss('<category> a </category><category>a</category><category/>').categories).toEqual(['a']);
});

test('an item of RSS in a namespace has the elements of RSS', () => {
  expect(
    shown('<item xmlns="http://backend.userland.com/rss2"><guid>http://a.example/1</guid></item>', nothing),
  ).toEqual({ link: 'http://a.example/1' });
});

test('the date of RSS is that of Atom too, which endpoints pass on', () => {
  const mended = mendItem(
    readPayload('<item><pubDate>Fri, Oct 7 2022 10:15:00 -0400</pubDate></item>'),
    nothing,
  );
  expect(mended.children.at(-1)?.xml).toBe(
    '<published xmlns="http://www.w3.org/2005/Atom">2022-10-07T14:15:00Z</published>',
  );
});
