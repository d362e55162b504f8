import { expect, test } from '@jest/globals';
import { plainDialect } from '../dialect.ts';
import { FeedScanner } from '../scanner.ts';
import { FormatExamination } from './format-examination.ts';
import { formatRules } from './rules.ts';

const reported = new Set<string>();

/** What breaks the rules of a feed, each as `RULE LINE:COLUMN SEVERITY`, in the order of places. */
function examined(feed: string, isSynced = false): readonly string[] {
  const scanner = new FeedScanner(plainDialect);
  const examination = new FormatExamination();
  const ofItems = scanner.write(feed).flatMap((item) => examination.item(item, isSynced));
  const head = scanner.end();
  return [...ofItems, ...examination.head(head, scanner.places)]
    .toSorted((one, other) => one.line - other.line || one.column - other.column)
    .map(({ rule, line, column, severity, section }) => {
      reported.add(rule);
      expect({ section, severity }).toEqual(formatRules[rule as 'atom-id']);
      return `${rule} ${line}:${column} ${severity}`;
    });
}

const namespaces = 'xmlns="http://www.w3.org/2005/Atom" xmlns:h="http://www.w3.org/1999/xhtml"';
const feedParts = {
  id: '<id>urn:feed</id>',
  title: '<title>F</title>',
  updated: '<updated>2026-01-01T00:00:00Z</updated>',
  author: '<author><name>A</name></author>',
};
const entryParts = {
  id: '<id>urn:a</id>',
  title: '<title>A</title>',
  updated: '<updated>2026-01-01T00:00:00.5+01:00</updated>',
  content: '<content>text</content>',
};

/** A feed whose head begins on line 1, and has more on line 2, and an entry with more on line 4. */
function atom({ head = {}, more = '', entry = {}, content = '' }: Parts): string {
  const written = (parts: object): string => Object.values(parts).join('');
  return (
    `<feed ${namespaces}>${written({ ...feedParts, ...head })}\n${more}\n` +
    `<entry>${written({ ...entryParts, ...entry })}\n${content}\n</entry></feed>`
  );
}

interface Parts {
  readonly head?: Partial<typeof feedParts>;
  readonly more?: string;
  readonly entry?: Partial<typeof entryParts>;
  readonly content?: string;
}

test.each<[string, Parts]>([
  ['the required elements', {}],
  ['an empty title', { entry: { title: '<title/>' } }],
  ['an alternate link in place of content', { entry: { content: '<link href="a"/>' } }],
  ['an author in each entry', { head: { author: '' }, content: '<author><name>B</name></author>' }],
  [
    'an author in the source of the entry',
    { head: { author: '' }, content: '<source><author><name>B</name></author></source>' },
  ],
  [
    'alternate links of other types and languages',
    { content: '<link href="a"/><link href="b" type="text/html"/><link href="c" hreflang="de"/>' },
  ],
  ['XHTML', { content: '<summary type="xhtml"><h:div>a<h:b>b</h:b></h:div></summary>' }],
  [
    'XML and text as content',
    { entry: { content: '<content type="image/svg+xml"><svg xmlns=""/></content>' } },
  ],
  [
    'content elsewhere with a summary',
    { entry: { content: '<content src="a" type="image/png"/>' }, content: '<summary>s</summary>' },
  ],
  ['elements of other namespaces', { content: '<title xmlns="urn:x"/><updated xmlns="">x</updated>' }],
])('a feed of Atom may have %s', (_what, parts) => {
  expect(examined(atom(parts))).toEqual([]);
});

test.each<[string, Parts, string]>([
  ['a feed without an id', { head: { id: '' } }, 'atom-feed-required 1:1 error'],
  ['a feed without a title', { head: { title: '' } }, 'atom-feed-required 1:1 error'],
  ['a feed without a date', { head: { updated: '' } }, 'atom-feed-required 1:1 error'],
  ['a second title', { more: ' <title>2</title>' }, 'atom-feed-multiple 2:2 error'],
  ['a second logo', { more: '<logo>a</logo>\n <logo>b</logo>' }, 'atom-feed-multiple 3:2 error'],
  [
    'a second alternate link',
    { more: '<link href="a"/><link rel="alternate" href="b"/>' },
    'atom-feed-alternate 2:17 error',
  ],
  ['an entry without an id', { entry: { id: '' } }, 'atom-entry-required 3:1 error'],
  ['an entry without a title', { entry: { title: '' } }, 'atom-entry-required 3:1 error'],
  ['an entry without a date', { entry: { updated: '' } }, 'atom-entry-required 3:1 error'],
  ['a second title of an entry', { content: ' <title>2</title>' }, 'atom-entry-multiple 4:2 error'],
  ['a second content', { content: '<content>2</content>' }, 'atom-entry-multiple 4:1 error'],
  [
    'a second alternate link of an entry',
    { content: '<link href="a" type="text/html"/>\n<link href="b" type="TEXT/HTML"/>' },
    'atom-entry-alternate 5:1 error',
  ],
  ['an entry without content', { entry: { content: '' } }, 'atom-entry-content 3:1 error'],
  ['an entry without an author', { head: { author: '' } }, 'atom-entry-author 3:1 error'],
  [
    'content elsewhere without a summary',
    { entry: { content: '' }, content: '<content src="a" type="image/png"/>' },
    'atom-entry-summary 4:1 error',
  ],
  [
    'content in Base64 without a summary',
    { entry: { content: '' }, content: '<content type="image/png">AAAA</content>' },
    'atom-entry-summary 4:1 error',
  ],
  [
    'text in content that is elsewhere',
    { entry: { content: '<summary/>' }, content: '<content src="a">b</content>' },
    'atom-content-src 4:1 error',
  ],
  [
    'a content of many parts',
    { entry: { content: '<summary/>' }, content: '<content type="multipart/mixed">b</content>' },
    'atom-content-type 4:1 error',
  ],
  [
    'a date of RFC 822',
    { content: '<published>Thu, 01 Jan 2026 00:00:00 GMT</published>' },
    'atom-date 4:1 error',
  ],
  [
    'a day that does not exist',
    { content: '<published>2026-02-30T00:00:00Z</published>' },
    'atom-date 4:1 error',
  ],
  ['an id that is no IRI', { entry: { id: '\n<id>a</id>' } }, 'atom-id 4:1 error'],
  ['a link to nothing', { content: '<link rel="self"/>' }, 'atom-link-href 4:1 error'],
  ['a category without a term', { content: '<category label="a"/>' }, 'atom-category-term 4:1 error'],
  ['a text of another type', { content: '<rights type="text/html">a</rights>' }, 'atom-text-type 4:1 error'],
  ['markup in HTML', { content: '<rights type="html"><b>a</b></rights>' }, 'atom-text-markup 4:1 error'],
  ['XHTML without a div', { content: '<rights type="xhtml"><h:b/></rights>' }, 'atom-text-xhtml 4:1 error'],
  ['a person without a name', { content: '<contributor/>' }, 'atom-person-name 4:1 error'],
])('reports %s in a feed of Atom', (_what, parts, violation) => {
  expect(examined(atom(parts))).toEqual([violation]);
});

/** A feed whose channel begins on line 2, and has more on line 3, and an item with content on line 4. */
function rss(more: string, item = '<title>A</title>', head = requiredInChannel): string {
  return `<rss version="2.0">\n<channel>${head}\n${more}\n<item>\n${item}</item></channel></rss>`;
}
const requiredInChannel = '<title>T</title><link>http://a.example/</link><description/>';

test.each([
  ['the required elements', ''],
  ['several categories', '<description/><category>a</category><category>b</category>'],
  ['elements of Atom', '<title/><a:title xmlns:a="http://www.w3.org/2005/Atom"/>'],
  ['a guid that is no URL, and says so', '<title/><guid isPermaLink="false">1</guid>'],
  ['dates of RFC 822', '<title/><pubDate>Thu, 01 Jan 2026 00:00:00 +0100</pubDate>'],
])('a feed of RSS may have %s', (_what, item) => {
  expect(examined(rss('<atom:link xmlns:atom="http://www.w3.org/2005/Atom"/>', item || undefined))).toEqual(
    [],
  );
});

test.each([
  [
    'a channel without a link',
    rss('', '<title/>', '<title/><description/>'),
    'rss-channel-required 2:1 error',
  ],
  ['a second title', rss('<title>2</title>'), 'rss-channel-multiple 3:1 error'],
  ['a second ttl', rss('<ttl>1</ttl><ttl>2</ttl>'), 'rss-channel-multiple 3:13 error'],
  ['an item without a title or a description', rss('', '<guid>urn:a</guid>'), 'rss-item-required 4:1 error'],
  ['a second title of an item', rss('', '<title>1</title><title>2</title>'), 'rss-item-multiple 5:17 error'],
  [
    'an enclosure without a length',
    rss('', '<title/><enclosure url="a" type="b/c"/>'),
    'rss-enclosure 5:9 error',
  ],
  [
    'a second enclosure',
    rss('', `<title/>${'<enclosure url="a" length="0" type="b/c"/>\n'.repeat(2)}`),
    'rss-enclosure-multiple 6:1 warning',
  ],
  ['a source without a URL', rss('', '<title/><source>a</source>'), 'rss-source-url 5:9 error'],
  ['a guid that is no URL', rss('', '<title/><guid>1</guid>'), 'rss-guid 5:9 warning'],
  ['an empty category', rss('', '<title/><category/>'), 'rss-category 5:9 warning'],
  ['a link that is no URL', rss('', '<title/><link>a</link>'), 'rss-link 5:9 warning'],
  ['a date of RFC 3339', rss('', '<title/><pubDate>2026-01-01T00:00:00Z</pubDate>'), 'rss-date 5:9 warning'],
])('reports %s in a feed of RSS', (_what, feed, violation) => {
  expect(examined(feed)).toEqual([violation]);
});

test('an item with synchronisation data may lack anything, and has nothing twice', () => {
  const parts = { head: { author: '' }, entry: { id: '', content: '' }, content: '<title>2</title>' };
  expect(examined(atom(parts), true)).toEqual(['atom-entry-multiple 4:1 error']);
  expect(examined(rss('', '<link>http://a.example/</link>'), true)).toEqual([]);
});

test('there is a case for each rule', () => {
  expect([...reported].toSorted()).toEqual(Object.keys(formatRules).toSorted());
});
