import type { HostileFeed } from '../hostile-feed.ts';
import { atomItem, entry, item, mergedAs, rejectedBy, rss, rssItem } from '../markup.ts';

const escaped = (html: string): string => html.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const html = (text: string): string => `<content type="html">${escaped(text)}</content>`;
/** An entry with this content. */
const content = (name: string, inside: string): HostileFeed => ({
  name: `texts/${name}`,
  body: () => atomItem(inside),
  expected: mergedAs('x'),
});

/** What items say: markup that readers would run, types that are none, references without end. */
export const texts: readonly HostileFeed[] = [
  content(
    'script',
    html('<script>alert(1)</script><img src=x onerror="alert(1)"><a href="javascript:alert(1)">b</a>'),
  ),
  content('html-that-is-open', html(`${'<div>'.repeat(20_000)}<a href="`)),
  content('html-attributes', html(`<a ${'b="c" '.repeat(50_000)}href="d">e</a>`)),
  content('html-quotes', html(`<a href="${"'".repeat(100_000)}<a href='${'"'.repeat(100_000)}`)),
  content('html-less-than', html('<'.repeat(60_000))),
  content(
    'html-references',
    html('&'.repeat(40_000) + '&#'.repeat(20_000) + '&#x110000;&#0;&#xD800;&nbsp;&unknown;'),
  ),
  content('html-comments', html(`<!--${'-'.repeat(200_000)}`)),
  content('html-tags-of-spaces', html(`<a${' '.repeat(300_000)}`)),
  content('html-links', html('<a href="b">'.repeat(20_000)) + '<link href="http://a.example/"/>'),
  content('srcset', html(`<img srcset="${', '.repeat(50_000)}a 1x">`)),
  content(
    'types-that-are-none',
    ['title', 'summary', 'rights', 'content']
      .map(
        (name) =>
          `<${name} type="x/y;z">&lt;b></${name}><${name} type="">c</${name}>` +
          `<${name} type="XHTML">d</${name}>`,
      )
      .join(''),
  ),
  content(
    'xhtml-without-a-div',
    '<content type="xhtml">a<b xmlns="http://www.w3.org/1999/xhtml"/></content><title type="xhtml"/>',
  ),
  content(
    'xhtml-of-another-namespace',
    '<content type="xhtml"><div xmlns="urn:x"><script/></div><div/></content>',
  ),
  content(
    'xhtml-with-everything',
    '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml" onclick="a()"><style>b</style>' +
      '<![CDATA[<c>]]><!-- d --><?e f?><svg xmlns="http://www.w3.org/2000/svg"><script href="g"/></svg>' +
      '</div></content>',
  ),
  content(
    'base64',
    '<content type="image/png">AAAA</content><content type="text/plain">b</content>' +
      '<content type="application/xml"><c/></content>',
  ),
  content(
    'content-elsewhere',
    '<content src="javascript:alert(1)" type="text/html"/><content src="http://[" type="a"/>',
  ),
  content('many-titles', '<title>a</title>'.repeat(1500)),
  content('titles-with-elements', '<title><b/>c</title><summary>d<e/>f</summary><id><g/></id>'),
  content(
    'many-links',
    Array.from(
      { length: 3000 },
      (_, n) => `<link rel="enclosure" href="http://a.example/${n}" length="${n}"/>`,
    ).join(''),
  ),
  content(
    'links-that-are-none',
    [
      '',
      '#',
      '?',
      '//',
      'http://',
      'http://[',
      'javascript:alert(1)',
      'data:,a',
      '%',
      '\\\\a\\b',
      `a:${'b'.repeat(100_000)}`,
    ]
      .map(
        (href) =>
          `<link href="${href}"/><link rel="alternate" href="${href}"/>` +
          `<link rel="enclosure" href="${href}" length="-1" type="&lt;"/>`,
      )
      .join(''),
  ),
  content(
    'links-of-ours',
    '<link rel="edit" href="http://evil.example/"/><link rel=" self " href="http://evil.example/"/>' +
      '<id>urn:evil</id><updated>9999-12-31T23:59:59Z</updated><author><name>E</name></author><source>' +
      '<id>s</id></source>',
  ),
  content(
    'dates',
    '<published>0000-00-00T00:00:00Z</published><published>9999-12-31T23:59:59+24:00</published>' +
      '<updated>now</updated>',
  ),
  content(
    'categories',
    '<category/><category term=""/><category term="a" scheme="javascript:b" label="&lt;c&gt;"/>' +
      '<category term="d">e<f/></category>',
  ),
  content(
    'elements-of-rss',
    '<item xmlns="">a</item><guid xmlns="">b</guid><description xmlns="">&lt;c></description>' +
      '<pubDate xmlns="">d</pubDate><enclosure xmlns="" url="e"/>',
  ),
  content('entries-of-atom', `<entry>${entry('y')}</entry><feed/>`),
  {
    name: 'texts/195000-empty-categories',
    body: () => atomItem('<category term=""/>'.repeat(195_000)),
    expected: rejectedBy('limit-elements'),
  },
  {
    name: 'texts/wide-characters',
    body: () => atomItem(`<summary>${'\u4E16'.repeat(4_100_000)}</summary>`),
    expected: rejectedBy('item-published-length'),
  },
  {
    name: 'texts/item-beyond-the-limit',
    body: () => atomItem(`<summary>${'x'.repeat(4_200_000)}</summary>`),
    expected: rejectedBy('limit-item-length'),
  },
  {
    name: 'texts/grows-in-rss',
    body: () =>
      atomItem(
        '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">' +
          `${'<b>&lt;</b>'.repeat(150_000)}</div></content>`,
      ),
    expected: rejectedBy('item-published-length'),
  },
  {
    name: 'texts/rss-of-atom',
    body: () =>
      rssItem(
        '<a:link xmlns:a="http://www.w3.org/2005/Atom" rel="edit" href="x"/>' +
          '<a:title xmlns:a="http://www.w3.org/2005/Atom" type="xhtml"/>' +
          '<a:content xmlns:a="http://www.w3.org/2005/Atom" type="html">&lt;b></a:content>' +
          '<description>c</description>',
      ),
    into: 'rss',
    expected: mergedAs('x'),
  },
  {
    name: 'texts/rss-dates',
    body: () =>
      rss(
        ['', 'now', 'Thu, 01 Jan 10000 00:00:00 GMT', '31 Feb 2026 25:61:61 XYZ', '9'.repeat(100_000)]
          .map((date, n) => item(`d${n}`, `<pubDate>${date}</pubDate>`))
          .join(''),
      ),
    into: 'rss',
    expected: { merged: ['d0', 'd1', 'd2', 'd3', 'd4', 'first', 'last'] },
  },
  {
    name: 'texts/rss-enclosures',
    body: () =>
      rssItem(
        '<enclosure/><enclosure url="" length="-1" type=""/>' +
          '<enclosure url="http://[" length="9e999" type="a"/><link>http://[</link><link/>' +
          '<guid isPermaLink="maybe">javascript:alert(1)</guid>',
      ),
    into: 'rss',
    expected: mergedAs('x'),
  },
  {
    name: 'texts/rss-description-of-references',
    body: () => rssItem(`<description>${'&amp;amp;'.repeat(50_000)}</description>`),
    into: 'rss',
    expected: mergedAs('x'),
  },
];
