import fc from 'fast-check';
import { readPayload } from '#xml';
import type { Payload } from '#xml';

const characters = fc.constantFrom(
  'a',
  'b ',
  '&',
  '<',
  '>',
  '"',
  '<b>',
  '</b>',
  '&amp;',
  '&lt;',
  ' ',
  '\n',
  '😀',
  ']]',
);
const text = fc.array(characters, { maxLength: 5 }).map((parts) => parts.join(''));
const address = fc.constantFrom(
  'http://example.com/',
  'http://example.com/a?b&c',
  '/a',
  'a/b',
  '../a',
  '',
  'mailto:a@example.com',
  '//example.org/a',
);
const foreign = fc.constantFrom(
  '<x:a xmlns:x="urn:x" b="c">d</x:a>',
  '<x:a xmlns:x="urn:x"><title>plain</title></x:a>',
  '<y:q/>',
  '<a xmlns="urn:a"><b/></a>',
  '<y:q><y:r y:s="t"/></y:q>',
  '<y:q><![CDATA[<a>]]></y:q>',
);
const inherited = fc.constantFrom(
  '',
  '',
  '',
  ' xml:lang="de"',
  ' xml:base="http://base.example/x/"',
  ' xml:base="sub/"',
  ' xml:lang="" y:other="1"',
);
const more = fc.constantFrom('', '', '', ' other="1"', ' y:other="1"');

/** Writes an element with some attributes, given as a list of names and values that may be absent. */
function element(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  extra: string,
  content = '',
): string {
  const written = Object.entries(attributes).map(([attribute, value]) =>
    value === undefined ? '' : ` ${attribute}="${escape(value)}"`,
  );
  return `<${name}${written.join('')}${extra}>${content}</${name}>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"\n]/g, (special) => `&#${special.charCodeAt(0)};`);
}

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const many = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, { maxLength: 3 });

const plainText = (name: string) =>
  fc
    .tuple(text, inherited, more)
    .map(([value, scope, extra]) =>
      element(name, {}, scope.includes('other') ? scope : scope + extra, escape(value)),
    );
const atomText = (name: string) =>
  fc.oneof(
    fc
      .tuple(fc.constantFrom(undefined, 'text', 'html', 'strange'), text, inherited)
      .map(([type, value, scope]) => element(name, { type }, scope, escape(value))),
    fc
      .tuple(fc.constantFrom('a <b>b</b> &amp; c', '', '<br/>', '&lt;'), inherited)
      .map(([inside, scope]) =>
        element(name, { type: 'xhtml' }, scope, `<div xmlns="http://www.w3.org/1999/xhtml">${inside}</div>`),
      ),
  );
const atomContent = fc.oneof(
  { weight: 4, arbitrary: atomText('content') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '<content type="image/png" src="p"/>',
      '<content type="application/xml"><a/></content>',
    ),
  },
);
const atomLink = fc
  .tuple(
    fc.constantFrom(undefined, 'alternate', 'enclosure', 'related', 'via', 'edit'),
    maybe(address),
    maybe(fc.constantFrom('0', '12')),
    maybe(fc.constantFrom('audio/mpeg')),
    inherited,
    more,
  )
  .map(([rel, href, length, type, scope, extra]) =>
    element('link', { rel, href, length, type }, scope.includes('other') ? scope : scope + extra),
  );
const atomCategory = fc
  .tuple(text, maybe(text), maybe(text))
  .map(([term, scheme, label]) => element('category', { term, scheme, label }, ''));
const atomOther = fc.constantFrom(
  '<id>urn:1</id>',
  '<updated>2026-01-01T00:00:00Z</updated>',
  '<author><name>N</name></author>',
  '<rights>R</rights>',
  '<source><title>S</title></source>',
);

const rssLink = fc.tuple(address, inherited).map(([href, scope]) => element('link', {}, scope, escape(href)));
const rssEnclosure = fc
  .tuple(maybe(address), maybe(fc.constantFrom('0', '12')), maybe(fc.constantFrom('audio/mpeg')), more)
  .map(([url, length, type, extra]) => element('enclosure', { url, length, type }, extra));
const rssCategory = fc
  .tuple(text, maybe(text))
  .map(([term, domain]) => element('category', { domain }, '', escape(term)));
const rssOther = fc.constantFrom(
  '<guid isPermaLink="false">1</guid>',
  '<pubDate>Fri, 02 Jan 2026 03:04:05 GMT</pubDate>',
  '<author>a@example.com</author>',
  '<comments>http://example.com/c</comments>',
  '<unknown><link>x</link></unknown>',
);
const atomInRss = fc.constantFrom(
  '<a:updated>2026-01-01T00:00:00Z</a:updated>',
  '<link xmlns="http://www.w3.org/2005/Atom" rel="self" href="/s"/>',
  '<a:author><a:name>N</a:name></a:author>',
);

const setting = fc.constantFrom(
  '',
  ' xml:base="http://example.com/base/"',
  ' xml:base="relative/"',
  ' xml:lang="en"',
  ' z="1"',
);

function item(
  before: string,
  name: string,
  scope: string,
  parts: readonly (string | undefined | readonly string[])[],
  seed: number,
): Payload {
  const children = parts.flat().filter((part) => part !== undefined);
  const turn = children.length === 0 ? 0 : seed % children.length;
  const inside = [...children.slice(turn), ...children.slice(0, turn)].join('');
  return readPayload(`<${name}${before} xmlns:y="urn:y"${scope}>${inside}</${name}>`);
}

/** Random entries with nothing in them that only RSS defines. */
export const randomEntry: fc.Arbitrary<Payload> = fc
  .tuple(
    setting,
    fc.nat(20),
    maybe(atomText('title')),
    maybe(atomContent),
    maybe(atomText('summary')),
    many(atomLink),
    many(atomCategory),
    many(atomOther),
    many(foreign),
  )
  .map(([scope, seed, ...parts]) =>
    item(' xmlns="http://www.w3.org/2005/Atom"', 'entry', scope, parts, seed),
  );

/** Random RSS items with nothing of Atom in them that has a counterpart in RSS. */
export const randomRssItem: fc.Arbitrary<Payload> = fc
  .tuple(
    setting,
    fc.nat(20),
    maybe(plainText('title')),
    maybe(plainText('description')),
    many(rssLink),
    many(rssEnclosure),
    many(rssCategory),
    many(rssOther),
    many(atomInRss),
    many(foreign),
  )
  .map(([scope, seed, ...parts]) =>
    item(' xmlns:a="http://www.w3.org/2005/Atom"', 'item', scope, parts, seed),
  );
