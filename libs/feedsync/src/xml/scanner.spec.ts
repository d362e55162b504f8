import { feedsyncDialect } from './dialect.ts';
import { describe, expect, test } from '@jest/globals';
import { refusal, scan } from './__fixtures__/reading.ts';
import { atomToDoList, rssToDoList } from './__fixtures__/to-do-list.ts';
import { readItem } from './item-reading.ts';
import { FeedScanner } from '#xml';

const atom = (inside: string, attributes = '') =>
  `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:sx="http://feedsync.org/2007/feedsync"${attributes}>` +
  `${inside}</feed>`;

describe.each([
  ['Atom', atomToDoList, 18, 3],
  ['RSS', rssToDoList, 13, 3],
])('the %s example of 1.4', (_format, feed, line, column) => {
  test('has one item with its place and id', () => {
    const { fragments } = scan(feed);
    expect(fragments.map(({ line, column, id }) => ({ line, column, id }))).toEqual([
      { line, column, id: 'item_1_myapp_2005-05-21T11:43:33Z' },
    ]);
    expect(fragments.map((fragment) => readItem(fragment).kind)).toEqual(['item']);
  });

  test('has a head with title and sharing', () => {
    const { head } = scan(feed);
    expect(head.title).toBe('To Do List');
    expect(head.violations).toEqual([]);
    expect(head.sharing).toEqual({
      since: '2005-02-13T18:30:02Z',
      until: '2005-05-23T18:30:02Z',
      related: [
        { link: 'http://example.com/all.xml', type: 'complete' },
        { link: 'http://example.com/B.xml', type: 'aggregated', title: 'To Do List (Jacks Copy)' },
      ],
    });
  });

  test('gives the same however small the pieces are, and whatever its line ends are', () => {
    const whole = scan(feed);
    const scanner = new FeedScanner(feedsyncDialect);
    const fragments = Array.from(feed.replaceAll('\n', '\r\n')).flatMap((character) =>
      scanner.write(character),
    );
    expect({ fragments, head: scanner.end() }).toEqual(whole);
  });
});

test(
  'a fragment is self-contained: the bindings that it uses, xml:base and xml:lang in force are on its ' +
    'root',
  () => {
    const feed = atom(
      '<entry xml:lang="en"><x:a/></entry>',
      ' xmlns:x="urn:x?a&amp;b" xml:base="http://example.com/feeds/" xml:lang="de"',
    );
    expect(scan(feed).fragments[0]?.xml).toBe(
      '<entry xmlns="http://www.w3.org/2005/Atom" xmlns:x="urn:x?a&amp;b" ' +
        'xml:base="http://example.com/feeds/"\n xml:lang="en"><x:a/></entry>',
    );
  },
);

test("an item's own xml:base is resolved with the one around it", () => {
  const feed = atom(
    `<entry title='xml:base="no"' xml:base = 'e/1?a=1&amp;b=2'/>`,
    ' xml:base="http://example.com/feeds/"',
  );
  expect(scan(feed).fragments[0]?.xml).toContain(
    `title='xml:base="no"' xml:base = 'http://example.com/feeds/e/1?a=1&amp;b=2'`,
  );
});

test('the address of the feed is the base if the feed declares none', () => {
  const scanner = new FeedScanner(feedsyncDialect, { base: 'http://example.com/a/feed' });
  expect(scanner.write(atom('<entry/>', ' xml:base="b/"'))[0]?.xml).toContain(
    'xml:base="http://example.com/a/b/"',
  );
});

test('columns and lines are right in a feed without line breaks, and if a name ends a line', () => {
  const { fragments } = scan(atom('<entry/><entry\n/>😀<entry/>'));
  expect(fragments.map(({ line, column }) => [line, column])).toEqual([
    [1, 88],
    [1, 96],
    [2, 5],
  ]);
});

test('an RSS feed in a namespace of its own has items too', () => {
  const { fragments, head } = scan(
    '<rss xmlns="http://backend.userland.com/rss2" version="2.0"><channel><ttl> 60 </ttl><item>' +
      '<title>A</title></item></channel></rss>',
  );
  expect(fragments.map((fragment) => readItem(fragment).kind)).toEqual(['plain']);
  expect(head.children.map(({ name }) => name)).toEqual(['ttl']);
});

test('the time to live of an RSS feed is read', () => {
  expect(scan('<rss version="2.0"><channel><ttl> 60 </ttl></channel></rss>').head.ttl).toBe(60);
  expect(scan('<rss version="2.0"><channel><ttl>soon</ttl></channel></rss>').head.ttl).toBeUndefined();
});

test('names such as __proto__ and constructor are names like others', () => {
  const { fragments, head } = scan(
    atom(
      '<__proto__/><constructor/><entry><toString/><__proto__ __proto__="1" constructor="2" ' +
        '__proto__:a="3"/></entry>',
      ' xmlns:__proto__="urn:p"',
    ),
  );
  expect(head.children.map(({ name }) => name)).toEqual(['__proto__', 'constructor']);
  const reading = readItem(fragments[0] ?? { xml: '', line: 1, column: 1 });
  expect(reading).toMatchObject({
    kind: 'plain',
    payload: {
      children: [
        { name: 'toString' },
        { name: '__proto__', xml: '<__proto__ __proto__="1" constructor="2" __proto__:a="3"/>' },
      ],
    },
  });
  expect(JSON.stringify(reading)).toContain('["__proto__","urn:p"]');
});

test.each([
  ['in the name of an element', '<x:a/>'],
  ['in the name of an attribute deep inside', '<a><b x:c="1"/></a>'],
  ['as a QName in a value', '<a type="x:b"/>'],
  ['as a QName in the middle of a path', '<a path="/b|-x:c"/>'],
  ['as a QName in text', '<a>x:b</a>'],
])('a binding that is used %s is on the fragment', (_where, content) => {
  expect(
    scan(atom(`<entry>${content}</entry>`, ' xmlns:x="urn:x" xmlns:y="urn:y"')).fragments[0]?.xml,
  ).toContain(' xmlns:x="urn:x"');
});

test('a binding that an item does not use is not on it, however long it is', () => {
  const long = `urn:${'n'.repeat(4000)}`;
  const root = Array.from({ length: 200 }, (_, index) => ` xmlns:a${index}="${long}"`).join('');
  const { fragments } = scan(atom('<entry><title>xa1:b a1 a2</title></entry>'.repeat(20), root));
  expect(fragments).toHaveLength(20);
  expect(new Set(fragments.map(({ xml }) => xml))).toEqual(
    new Set(['<entry xmlns="http://www.w3.org/2005/Atom"\n><title>xa1:b a1 a2</title></entry>']),
  );
});

test.each([
  ['a base', ` xml:base="http://example.com/${'b'.repeat(20_000)}"`],
  ['a language', ` xml:lang="${'e'.repeat(20_000)}"`],
])('a feed whose items inherit too much is refused, by %s', (_what, root) => {
  const { rule, message } = refusal(() => scan(atom('<entry></entry>', root)));
  expect(rule).toBe('limit-inherited-length');
  expect(message).toContain('16384 (limit "inheritedLength")');
});

test('what an item inherits counts for its length', () => {
  const feed = atom('<entry><x:a/></entry>', ` xmlns:x="urn:${'x'.repeat(1000)}"`);
  const [item] = scan(feed, { itemLength: 1050 }).fragments;
  expect(item?.refusal?.violation.rule).toBe('limit-item-length');
  expect(scan(feed, { itemLength: 1100 }).fragments).toHaveLength(1);
});

test('an external document type is skipped', () => {
  expect(
    scan(
      '<!DOCTYPE rss PUBLIC "-//Netscape//DTD RSS 0.91//EN" "http://example.com/[rss].dtd">' +
        '<rss version="0.91"><channel/></rss>',
    ).fragments,
  ).toEqual([]);
});

describe('a document that is no feed is refused with its place', () => {
  test.each([
    ['nothing at all', '', 'xml-well-formed', 1],
    ['text', 'Not found', 'xml-well-formed', 1],
    ['a web page', '<!DOCTYPE html>\n<html></html>', 'feed-root', 2],
    ['a feed outside the namespace of Atom', '<feed><entry/></feed>', 'feed-root', 1],
    ['RSS without a channel', '<rss version="2.0">\n</rss>', 'rss-channel', 2],
    ['RSS with two channels', '<rss version="2.0"><channel/>\n<channel/></rss>', 'rss-channel', 2],
    ['a feed that breaks off', atom('\n<entry>').replace('</feed>', ''), 'xml-well-formed', 2],
    ['a feed that breaks off in a tag', atom('').slice(0, -2), 'xml-well-formed', 1],
    ['a feed that breaks off in a comment behind it', `${atom('')}<!-- `, 'xml-well-formed', 1],
    ['two roots', `${atom('')}\n${atom('')}`, 'xml-well-formed', 2],
    ['an end tag that does not fit', atom('<a></b>'), 'xml-well-formed', 1],
    ['an undeclared prefix', atom('<x:a/>'), 'xml-well-formed', 1],
    [
      'two attributes of one expanded name',
      atom('<a x:b="" y:b=""/>', ' xmlns:x="urn:x" xmlns:y="urn:x"'),
      'xml-well-formed',
      1,
    ],
    ['a raw < in an attribute', atom('<a b="<"/>'), 'xml-well-formed', 1],
    ['a control character', atom('\n\u0001'), 'xml-well-formed', 2],
    ['NUL', atom('<a>\0</a>'), 'xml-well-formed', 1],
    ['a reference to NUL', atom('<a>&#0;</a>'), 'xml-well-formed', 1],
    ['a reference to a surrogate', atom('<a b="&#xD800;"/>'), 'xml-well-formed', 1],
    ['a lone high surrogate', atom('\n<a>\uD800b</a>'), 'xml-character', 2],
    ['a lone low surrogate', atom('<a>\uDC00</a>'), 'xml-character', 1],
    ['an undeclared entity', atom('<a>&nbsp;</a>'), 'xml-well-formed', 1],
    ['an internal entity', `<!DOCTYPE feed [<!ENTITY a "aaaa">]>\n${atom('&a;')}`, 'xml-doctype', 1],
    ['a parameter entity', `<!DOCTYPE feed SYSTEM "x" [ %a; ]>${atom('')}`, 'xml-doctype', 1],
    ['XML 1.1', `<?xml version="1.1"?>${atom('')}`, 'xml-version', 1],
  ])('%s', (_case, feed, rule, line) => {
    const violation = refusal(() => scan(feed));
    expect(violation).toMatchObject({ rule, line, severity: 'error' });
    expect(violation.column).toBeGreaterThan(0);
  });

  test('a surrogate pair may be split between pieces', () => {
    const scanner = new FeedScanner(feedsyncDialect);
    const [before = '', after = ''] = atom('<entry><title>😀</title></entry>').split('\uDE00');
    expect([...scanner.write(before), ...scanner.write(`\uDE00${after}`)]).toHaveLength(1);
  });
});

test.each([
  ['itemLength', `<!--${'x'.repeat(100)}`, { itemLength: 90 }],
  ['items', atom('<entry/><entry/><entry/>'), { items: 2 }],
])('a feed that passes the limit %s is refused, with its name', (limit, feed, limits) => {
  const violation = refusal(() => scan(feed, limits));
  expect(violation.rule).toBe(`limit-${limit.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`);
  expect(violation.message).toContain(`limit "${limit}"`);
});

test('items are given as soon as they are complete', () => {
  const scanner = new FeedScanner(feedsyncDialect);
  const feed = atom('<entry><title>A</title></entry><entry/>');
  const middle = feed.indexOf('<entry/>') + 3;
  expect(scanner.write(feed.slice(0, middle))).toHaveLength(1);
  expect(scanner.write(feed.slice(middle))).toHaveLength(1);
  expect(scanner.end().format).toBe('atom');
});
