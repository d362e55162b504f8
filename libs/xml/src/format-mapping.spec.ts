import { describe, expect, test } from '@jest/globals';
import { refusal } from '../../feedsync/src/xml/__fixtures__/reading.ts';
import { fieldsOfPayload, payloadFromFields } from './fields.ts';
import { convertPayload } from './format-mapping.ts';
import { readPayload } from './payload-reading.ts';
import type { Format, Payload } from './payload.ts';

const atom = 'xmlns="http://www.w3.org/2005/Atom"';
const entry = (inside: string, attributes = '') =>
  readPayload(`<entry ${atom}${attributes}>${inside}</entry>`);
const item = (inside: string, attributes = '') => readPayload(`<item${attributes}>${inside}</item>`);
const converted = (payload: Payload, format: Format) =>
  convertPayload(payload, format).children.map(({ xml }) => xml);
/** The children of an item in the format that it does not have. */
const mapped = (payload: Payload) => converted(payload, payload.format === 'atom' ? 'rss' : 'atom');

const encoded = (text: string): string =>
  `<content:encoded xmlns:content="http://purl.org/rss/1.0/modules/content/">${text}</content:encoded>`;

test('content:encoded is the content, and the description beside it the summary, both ways', () => {
  for (const inside of [
    `<description>S</description>${encoded('&lt;p&gt;A')}`,
    `${encoded('&lt;p&gt;A')}<description>&lt;i&gt;S</description>`,
    encoded('A'),
  ]) {
    const there = convertPayload(item(inside), 'atom');
    expect(there.children.map(({ name }) => name).toSorted()).toEqual(
      inside.includes('description') ? ['content', 'summary'] : ['content'],
    );
  }
  const both = `<description>S</description>${encoded('&lt;p&gt;A')}`;
  expect(mapped(item(both))).toEqual(['<summary>S</summary>', '<content type="html">&lt;p&gt;A</content>']);
  expect(mapped(convertPayload(item(both), 'atom')).join('')).toBe(both);
  expect(
    fieldsOfPayload(convertPayload(entry('<summary>a &amp; b</summary><content>A &lt;b></content>'), 'rss')),
  ).toMatchObject({ summary: 'a & b', content: 'A &lt;b>' });
});

test('content:encoded in an Atom entry is foreign markup', () => {
  const old = entry(`<content>S</content>${encoded('A')}`);
  expect(mapped(old)).toEqual(['<description>S</description>', encoded('A')]);
});

test('a payload that already has the format is returned as is', () => {
  const payload = entry('<title>A</title>');
  expect(convertPayload(payload, 'atom')).toBe(payload);
});

test.each(['atom', 'rss'] as const)('there is no way between an outline and %s', (format) => {
  const outline = readPayload('<outline text="A"/>');
  expect(refusal(() => convertPayload(outline, format)).rule).toBe('format-fixed');
  expect(refusal(() => convertPayload(format === 'atom' ? entry('') : item(''), 'opml')).rule).toBe(
    'format-fixed',
  );
});

describe('an Atom entry as an RSS item', () => {
  test.each([
    ['a title', '<title>A &amp; B</title>', ['<title>A &amp; B</title>']],
    ['a title whose type is the default one', '<title type="text">A</title>', ['<title>A</title>']],
    [
      'a title in HTML as its text, itself beside',
      '<title type="html">&lt;b>A&lt;/b> &amp;amp; B</title>',
      ['<title>A &amp; B</title>', `<title ${atom} type="html">&lt;b>A&lt;/b> &amp;amp; B</title>`],
    ],
    [
      'content in HTML',
      '<content type="html">&lt;b>A&lt;/b></content>',
      ['<description>&lt;b&gt;A&lt;/b&gt;</description>'],
    ],
    ['content that is plain text', '<content>A</content>', ['<description>A</description>']],
    [
      'plain text that HTML has to escape, itself beside',
      '<content>A &amp; B</content>',
      ['<description>A &amp;amp; B</description>', `<content ${atom}>A &amp; B</content>`],
    ],
    [
      'a language of its own',
      '<content xml:lang="de">A</content>',
      ['<description xml:lang="de">A</description>'],
    ],
    [
      'content elsewhere, as it is',
      '<content type="image/png" src="p"/>',
      [`<content ${atom} type="image/png" src="p"/>`],
    ],
    [
      'a summary if there is no content, beside itself',
      '<summary>A</summary>',
      ['<description>A</description>', `<summary ${atom}>A</summary>`],
    ],
    [
      'a summary beside content, which is encoded then',
      '<summary>S</summary><content>A</content>',
      ['<description>S</description>', encoded('A')],
    ],
    [
      'a summary beside content that has no counterpart',
      '<summary>S</summary><content src="a" type="image/png"/>',
      [
        '<description>S</description>',
        `<summary ${atom}>S</summary>`,
        `<content ${atom} src="a" type="image/png"/>`,
      ],
    ],
    ['a category', '<category term="A" scheme="urn:s"/>', ['<category domain="urn:s">A</category>']],
    [
      'a category with a label, itself beside',
      '<category term="A" label="L"/>',
      ['<category>A</category>', `<category ${atom} term="A" label="L"/>`],
    ],
    [
      'an enclosure',
      '<link rel="enclosure" href="http://e/a" length="1" type="audio/mpeg"/>',
      ['<enclosure url="http://e/a" length="1" type="audio/mpeg"/>'],
    ],
    [
      'an enclosure without a length, itself beside',
      '<link rel="enclosure" href="http://e/a"/>',
      ['<enclosure url="http://e/a" length="0"/>', `<link ${atom} rel="enclosure" href="http://e/a"/>`],
    ],
    [
      'the first alternate link only',
      '<link rel="alternate" href="http://e/1"/><link href="http://e/2"/>',
      ['<link>http://e/1</link>', `<link ${atom} href="http://e/2"/>`],
    ],
    [
      'what RSS has no place for, as it is',
      '<id>1</id><link rel="via" href="v"/>',
      [`<id ${atom}>1</id>`, `<link ${atom} rel="via" href="v"/>`],
    ],
    ['foreign markup unchanged', '<x:a xmlns:x="urn:x">1</x:a>', ['<x:a xmlns:x="urn:x">1</x:a>']],
    [
      'foreign markup with Atom inside it',
      '<x:a xmlns:x="urn:x"><title/></x:a>',
      [`<x:a ${atom} xmlns:x="urn:x"><title/></x:a>`],
    ],
  ])('has %s', (_case, inside, expected) => expect(mapped(entry(inside))).toEqual(expected));

  test('has the inner markup of XHTML content', () => {
    const content = (inside: string) =>
      `<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"${inside}</content>`;
    expect(mapped(entry(content(' class="a>b">1 <b>2</b></div>')))[0]).toBe(
      '<description>1 &lt;b&gt;2&lt;/b&gt;</description>',
    );
    expect(mapped(entry(content('/>')))[0]).toBe('<description/>');
  });

  test.each([
    ['two divisions', '<h:div>1</h:div><h:div>2</h:div>'],
    ['another element', '<h:p>1</h:p>'],
    ['a division that is not of XHTML', '<div>1</div>'],
    ['no element', '1'],
  ])('has XHTML content with %s in its place as it is', (_case, inside) => {
    const content = `<content type="xhtml" xmlns:h="http://www.w3.org/1999/xhtml">${inside}</content>`;
    expect(mapped(entry(content))).toEqual([content.replace('<content', `<content ${atom}`)]);
  });

  test('has a link made absolute, the original beside', () => {
    expect(mapped(entry('<link href="a"/>', ' xml:base="http://example.com/b/"'))).toEqual([
      '<link>http://example.com/b/a</link>',
      `<link ${atom} href="a"/>`,
    ]);
  });

  test('keeps base, language, prefixes and attributes', () => {
    expect(
      convertPayload(
        entry('', ' xmlns:y="urn:y" xml:base="http://example.com/" xml:lang="de" a="1" y:b="2"'),
        'rss',
      ),
    ).toEqual({
      format: 'rss',
      children: [],
      scope: { namespaces: [['y', 'urn:y']], base: 'http://example.com/', language: 'de' },
      attributes: [
        { namespace: '', name: 'a', value: '1' },
        { namespace: 'urn:y', name: 'b', value: '2' },
      ],
    });
  });
});

describe('an RSS item as an Atom entry', () => {
  test.each([
    ['a title', '<title>A</title>', ['<title>A</title>']],
    ['a description without markup as text', '<description>A</description>', ['<content>A</content>']],
    [
      'a description with markup as HTML',
      '<description>A &amp;amp; B</description>',
      ['<content type="html">A &amp;amp; B</content>'],
    ],
    ['the link', '<link>http://e/?a&amp;b</link>', ['<link href="http://e/?a&amp;b"/>']],
    [
      'the first link only',
      '<link>http://e/1</link><link>http://e/2</link>',
      ['<link href="http://e/1"/>', '<link xmlns="">http://e/2</link>'],
    ],
    ['an empty link as it is', '<link/>', ['<link xmlns=""/>']],
    ['a category', '<category domain="d">A</category>', ['<category term="A" scheme="d"/>']],
    [
      'an enclosure',
      '<enclosure url="http://e/a" length="1" type="a/b"/>',
      ['<link rel="enclosure" href="http://e/a" length="1" type="a/b"/>'],
    ],
    [
      'what Atom has no place for, as it is',
      '<guid>1</guid><pubDate>d</pubDate>',
      ['<guid xmlns="">1</guid>', '<pubDate xmlns="">d</pubDate>'],
    ],
    [
      'an element with attributes that RSS does not know, itself beside',
      '<title a="1">A</title>',
      ['<title>A</title>', '<title xmlns="" a="1">A</title>'],
    ],
  ])('has %s', (_case, inside, expected) => expect(mapped(item(inside))).toEqual(expected));

  test('has the item link before other alternate links, so that it is the link on the way back', () => {
    const payload = item(`<link ${atom} href="http://e/other"/><link>http://e/1</link>`);
    expect(mapped(payload)).toEqual(['<link href="http://e/1"/>', '<link href="http://e/other"/>']);
    expect(converted(convertPayload(payload, 'atom'), 'rss')).toEqual([
      '<link>http://e/1</link>',
      `<link ${atom} href="http://e/other"/>`,
    ]);
  });
});

describe('what is carried', () => {
  test('becomes native again, and its rendition goes', () => {
    const inside =
      '<title type="html">&lt;i>A</title><summary>S</summary><id>1</id><category term="A" label="L"/>' +
      '<link href="http://e/1" hreflang="de"/>';
    expect(converted(convertPayload(entry(inside), 'rss'), 'atom').join('')).toBe(inside);
  });

  test('is dropped if it is the title or the content, and the native one has been edited', () => {
    const title = `<title ${atom} type="html">&lt;i>A</title>`;
    const carried = `${title}<content ${atom}>1 &amp; 2</content><id ${atom}>1</id>`;
    expect(mapped(item(`<title>B</title><description>3</description>${carried}`))).toEqual([
      '<title>B</title>',
      '<content>3</content>',
      '<id>1</id>',
    ]);
  });

  test('stays if its native one is gone, or if there may be several', () => {
    const carried = `<title ${atom} type="html">A</title><category ${atom} term="A" label="L"/>`;
    expect(mapped(item(`<category>B</category>${carried}`))).toEqual([
      '<category term="B"/>',
      '<title type="html">A</title>',
      '<category term="A" label="L"/>',
    ]);
  });

  test('is seen in the fields of an item, and an update that sends them back keeps it', () => {
    const payload = convertPayload(
      entry('<title type="html">&lt;i>A</title><id>1</id><link rel="via" href="v"/>'),
      'rss',
    );
    const fields = fieldsOfPayload(payload);
    expect(fields).toEqual({
      title: 'A',
      payload:
        `<title ${atom} type="html">&lt;i>A</title>\n<id ${atom}>1</id>\n` +
        `<link ${atom} rel="via" href="v"/>`,
    });
    expect(fieldsOfPayload(convertPayload(payloadFromFields('rss', fields), 'atom'))).toMatchObject({
      title: '<i>A',
      titleType: 'html',
    });
  });
});

test('a reference to a character that XML forbids stays a reference', () => {
  expect(
    mapped(entry('<title type="html">&amp;#0;&amp;#xD800;&amp;#x110000;&amp;#233;&amp;eacute;</title>'))[0],
  ).toBe('<title>&amp;#0;&amp;#xD800;&amp;#x110000;éé</title>');
});
