import { describe, expect, test } from '@jest/globals';
import { FeedScanner } from '#xml';
import { adoptionMark } from '../engine/adopted.ts';
import { feedsyncDialect } from '../xml/dialect.ts';
import { readItem } from '../xml/item-reading.ts';
import { adoptItems } from './adopt-items.ts';
import { feedEndpoint } from './feed-endpoint.ts';

const endpoint = feedEndpoint('https://blog.example/feed');

function read({ adopted: all, left }: ReturnType<typeof adoptItems>) {
  return { adopted: [...all], left };
}

/** The items of a feed as they are adopted. */
function adopted(xml: string) {
  const scanner = new FeedScanner(feedsyncDialect);
  const fragments = scanner.write(xml);
  return read(adoptItems(fragments, scanner.end(), endpoint));
}

function rss(...items: readonly string[]) {
  const names =
    'xmlns:slash="http://purl.org/rss/1.0/modules/slash/" xmlns:dc="http://purl.org/dc/elements/1.1/"';
  const all = items.map((item) => `<item>${item}</item>`).join('');
  return adopted(`<rss version="2.0" ${names}><channel>${all}</channel></rss>`);
}

function atom(entries: readonly string[], head = '') {
  const all = entries.map((entry) => `<entry>${entry}</entry>`).join('');
  return adopted(`<feed xmlns="http://www.w3.org/2005/Atom">${head}${all}</feed>`);
}

const idsOf = ({ adopted: all }: ReturnType<typeof adopted>): string[] => all.map(({ id }) => id);
const digestsOf = ({ adopted: all }: ReturnType<typeof adopted>): string[] => all.map(({ digest }) => digest);

test('an adopted item reads as the first version of an item that the feed has signed', () => {
  const [fragment] = rss(
    '<title>A</title><guid>a</guid><pubDate>Mon, 05 Jan 2026 10:00:00 GMT</pubDate>',
  ).adopted;
  const read = fragment && readItem(fragment);
  if (read?.kind !== 'item') throw new Error('it is no item');
  const { sync } = read.item;
  expect(read.violations).toEqual([]);
  expect(sync).toMatchObject({
    id: fragment?.id,
    updates: 1,
    deleted: false,
    history: [{ sequence: 1, by: endpoint, when: '2026-01-05T10:00:00Z' }],
  });
  expect(sync.history.map(adoptionMark)).toEqual([fragment?.digest]);
});

describe('an item is identified', () => {
  test.each([
    [
      'by its guid',
      '<guid>7</guid><link>http://x.example/1</link>',
      '<guid>7</guid><link>http://x.example/2</link>',
    ],
    [
      'by its link',
      '<link>http://x.example/1</link><title>A</title>',
      '<link>http://x.example/1</link><title>B</title>',
    ],
    [
      'by its title',
      '<title>A</title><description>one</description>',
      '<title>A</title><description>two</description>',
    ],
    [
      'whatever the scheme of a permalink is',
      '<guid>http://x.example/1</guid>',
      '<guid>https://x.example/1</guid>',
    ],
    [
      'whatever its link is tracked by',
      '<link>http://x.example/1?utm_source=a&amp;id=2</link>',
      '<link>http://x.example/1?id=2&amp;utm_medium=b#xtor=RSS-1</link>',
    ],
    [
      'by a permalink, be it the guid or the link',
      '<guid isPermaLink="true">http://x.example/1</guid>',
      '<link>http://x.example/1</link>',
    ],
  ])('%s', (_how, one, other) => {
    expect(idsOf(rss(one))).toEqual(idsOf(rss(other)));
  });

  test.each([
    [
      'of another guid',
      '<guid>7</guid><link>http://x.example/1</link>',
      '<guid>8</guid><link>http://x.example/1</link>',
    ],
    ['of another page', '<link>http://x.example/?p=1</link>', '<link>http://x.example/?p=2</link>'],
    ['of another title', '<title>A</title>', '<title>B</title>'],
  ])('from one %s', (_what, one, other) => {
    expect(idsOf(rss(one))).not.toEqual(idsOf(rss(other)));
  });

  test('by its link where the feed has one guid for several, in whatever order', () => {
    const [one, two] = [1, 2].map((page) => `<guid>same</guid><link>http://x.example/${page}</link>`);
    const ids = idsOf(rss(one ?? '', two ?? ''));
    expect(new Set(ids).size).toBe(2);
    expect(idsOf(rss(two ?? '', one ?? '')).toReversed()).toEqual(ids);
  });

  test('in another feed by another id', () => {
    const other = read(
      adoptItems(
        [{ xml: '<item\n><guid>7</guid></item>', line: 1, column: 1 }],
        { children: [], scope: { namespaces: [] } },
        feedEndpoint('https://other.example/feed'),
      ),
    );
    expect(other.adopted[0]?.id).not.toBe(idsOf(rss('<guid>7</guid>'))[0]);
  });

  test('not at all where it says nothing', () => {
    const { adopted: all, left } = rss('', '<description> </description>');
    expect([all.length, left.length]).toEqual([0, 2]);
  });
});

test('an item with the synchronisation data of another protocol is left', () => {
  const { adopted: all, left } = atom(['<id>tag:x</id><s:sync xmlns:s="urn:other" id="x" version="1"/>']);
  expect([all.length, left.length]).toEqual([0, 1]);
});

test('of the versions of one entry the latest is adopted (RFC 4287 4.1.1)', () => {
  const entry = (title: string, day: string) =>
    `<id>tag:x</id><title>${title}</title><updated>2026-01-${day}T00:00:00Z</updated>`;
  const { adopted: all } = atom([entry('old', '01'), entry('new', '03'), entry('middle', '02')]);
  expect(all.map(({ xml }) => /<title>(.*)<\/title>/.exec(xml)?.[1])).toEqual(['new']);
});

test('a deleted entry is a tombstone (RFC 6721), unless the feed has it with a later date', () => {
  const tombstone = (when: string) =>
    `<at:deleted-entry xmlns:at="http://purl.org/atompub/tombstones/1.0" ref="tag:x" when="${when}"/>`;
  const entry = '<id>tag:x</id><title>A</title><updated>2026-01-05T00:00:00Z</updated>';
  const deleted = atom([], tombstone('2026-01-06T00:00:00Z'));
  expect(deleted.adopted.map(({ digest }) => digest)).toEqual(['deleted']);
  expect(idsOf(deleted)).toEqual(idsOf(atom([entry])));
  expect(digestsOf(atom([entry], tombstone('2026-01-06T00:00:00Z')))).toEqual(['deleted']);
  expect(digestsOf(atom([entry], tombstone('2026-01-04T00:00:00Z')))).toEqual(digestsOf(atom([entry])));
});

test.each([
  ['a reference', 'It&#146;s &#x93;5 &#128;&#x94;'],
  ['a character', 'It\u0092s \u00935 \u0080\u0094'],
])('a control character that %s stands for is what windows-1252 has in its place', (_how, title) => {
  const [fragment] = rss(`<guid>1</guid><title>${title}</title>`).adopted;
  expect(fragment?.xml).toContain('<title>It’s “5 €”</title>');
});

describe('an item says the same', () => {
  const item = '<guid>1</guid><title>A title</title><description>Text &amp;amp; more</description>';
  test.each([
    [
      'with another date',
      `${item}<pubDate>Mon, 05 Jan 2026 10:00:00 GMT</pubDate><dc:date>2026-01-05</dc:date>`,
    ],
    ['with other white space', item.replace('A title', ' A\n title ')],
    ['in another order', item.replace(/(<title>.*<\/title>)(.*)/, '$2$1')],
    ['as a CDATA section', item.replace('Text &amp;amp; more', '<![CDATA[Text &amp; more]]>')],
    ['with references', item.replace('A title', '&#65; title')],
    [
      'with more comments',
      `${item}<slash:comments>7</slash:comments><comments>http://x.example/c</comments>`,
    ],
    ['with an empty element', `${item}<category></category>`],
  ])('%s', (_how, other) => {
    expect(digestsOf(rss(other))).toEqual(digestsOf(rss(item)));
  });

  test.each([
    ['another title', item.replace('A title', 'A title!')],
    ['another text', item.replace('more', 'less')],
    ['a category', `${item}<category>news</category>`],
    ['an author', `${item}<author>someone@x.example</author>`],
    ['an enclosure', `${item}<enclosure url="http://x.example/a.mp3" length="1" type="audio/mpeg"/>`],
  ])('but not with %s', (_what, other) => {
    expect(digestsOf(rss(other))).not.toEqual(digestsOf(rss(item)));
  });

  test('whatever counts in its link, or tracks', () => {
    const link = (query: string) => `<guid>1</guid><link>http://x.example/1?a=b${query}</link>`;
    expect(digestsOf(rss(link('&amp;views=12&amp;utm_campaign=x')))).toEqual(
      digestsOf(rss(link('&amp;views=13'))),
    );
    expect(digestsOf(rss(link('&amp;page=2')))).not.toEqual(digestsOf(rss(link('&amp;page=3'))));
  });
});

test.each([
  ['https://blog.example/feed', 'http://BLOG.example:80/feed?utm_source=x', true],
  ['https://blog.example/feed', 'https://blog.example/feed?cat=1', false],
  ['https://blog.example:8443/feed', 'https://blog.example/feed', false],
])('a feed at %s and at %s: one endpoint identifier? %s', (one, other, same) => {
  expect(feedEndpoint(one) === feedEndpoint(other)).toBe(same);
  expect(feedEndpoint(one)).toMatch(/^[A-Za-z0-9()+,\-.:=@;$_!*']+$/);
});
