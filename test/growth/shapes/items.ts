/** The formats that items of the protocols stand in. */
export type Markup = 'atom' | 'rss' | 'sse' | 'cse' | 'plain-atom' | 'plain-rss';

/** What an item of a shape has, of some size. */
export interface ItemParts {
  /** Its elements, besides a title and synchronisation data. */
  readonly children?: string;
  /** Attributes of its element. */
  readonly attributes?: string;
  /** Earlier versions, besides the first one of its own: entries of its history. */
  readonly entries?: string;
  /** What else is in its `sync` element. */
  readonly sync?: string;
  readonly id?: string;
  /** More `sync` elements. */
  readonly moreSync?: string;
  /** Attributes of the root of the feed. */
  readonly root?: string;
}

/** One way in which an item is large. */
export interface ItemShape {
  readonly name: string;
  /** The largest number of units, by the limits of the settings or of the code. */
  readonly limit: number;
  /** From where on it is measured, if something else is at its limit only there. */
  readonly from?: number;
  /** For which markups there is the shape; all by default. */
  readonly for?: readonly Markup[];
  readonly parts: (size: number, markup: Markup) => ItemParts;
}

const atomNamespace = 'http://www.w3.org/2005/Atom';
export const namespaces: Readonly<Partial<Record<Markup, string>>> = {
  atom: 'http://feedsync.org/2007/feedsync',
  rss: 'http://feedsync.org/2007/feedsync',
  sse: 'https://www.microsoft.com/schemas/rss/sse',
  cse: 'http://schemas.microsoft.com/rss/2007/contentsyncextensions',
};

const isAtom = (markup: Markup): boolean => markup.endsWith('atom');
const feedsync: readonly Markup[] = ['atom', 'rss'];
const versioned: readonly Markup[] = ['atom', 'rss', 'sse'];

/** Text for each number below `count`. */
const each = (count: number, text: (number: number) => string): string =>
  Array.from({ length: count }, (_, number) => text(number)).join('');

/** An element with text in it: the content of an entry, or the description of an item. */
function content(markup: Markup, text: string, type = 'html'): string {
  return isAtom(markup) ? `<content type="${type}">${text}</content>` : `<description>${text}</description>`;
}

/** An entry of a history, with more attributes. */
const entry = (markup: Markup, number: number, more = '', by = `e${number}`): string =>
  markup === 'sse'
    ? `<sx:update when="Thu, 01 Jan 2026 00:00:00 GMT" by="${by}"${more}/>`
    : `<sx:history sequence="1" when="2026-01-01T00:00:00Z" by="${by}"${more}/>`;

/** A version in conflict, with the id of `item`. */
function conflict(markup: Markup, number: number, inside = ''): string {
  if (markup === 'sse')
    return (
      `<sx:conflict version="1" when="Thu, 01 Jan 2026 00:00:00 GMT" by="e${number}">` +
      `<item><title>${number}</title>${inside}</item></sx:conflict>`
    );
  const name = isAtom(markup) ? 'entry' : 'item';
  const own = isAtom(markup) ? ` xmlns="${atomNamespace}"` : '';
  const sync = `<sx:sync id="x" updates="1">${entry(markup, number)}</sx:sync>`;
  return `<${name}${own}><title>${number}</title>${inside}${sync}</${name}>`;
}

const conflictsOf = (count: number, one: (number: number) => string): string =>
  `<sx:conflicts>${each(count, one)}</sx:conflicts>`;

/** The largest numbers that the limits permit. */
const [itemLength, elements, children, attributes] = [4_000_000, 39_000, 8100, 230];

const own = (markup: Markup, name: { atom: string; rss: string }): string =>
  isAtom(markup) ? name.atom : name.rss;

export const itemShapes: readonly ItemShape[] = [
  {
    name: 'long text',
    limit: itemLength,
    parts: (size, markup) => ({ children: content(markup, 'a'.repeat(size), 'text') }),
  },
  {
    name: 'long title',
    limit: itemLength,
    parts: (size) => ({ children: `<title>${'a '.repeat(size / 2)}</title>` }),
  },
  {
    name: 'line breaks',
    limit: itemLength,
    parts: (size, markup) => ({ children: content(markup, '\n'.repeat(size), 'text') }),
  },
  {
    name: 'characters beyond 16 bits',
    limit: itemLength / 2,
    parts: (size, markup) => ({ children: content(markup, '\u{1f600}'.repeat(size), 'text') }),
  },
  {
    name: 'references',
    limit: itemLength / 5,
    parts: (size, markup) => ({ children: content(markup, '&amp;'.repeat(size)) }),
  },
  {
    name: 'numeric references',
    limit: itemLength / 6,
    parts: (size, markup) => ({ children: content(markup, '&#233;'.repeat(size)) }),
  },
  {
    name: 'CDATA sections',
    limit: itemLength / 13,
    parts: (size, markup) => ({ children: content(markup, '<![CDATA[a]]>'.repeat(size)) }),
  },
  {
    name: 'long CDATA',
    limit: itemLength,
    parts: (size, markup) => ({ children: content(markup, `<![CDATA[${']]'.repeat(size / 2)}]]>`) }),
  },
  {
    name: 'comments',
    limit: itemLength / 8,
    parts: (size, markup) => ({ children: content(markup, '<!--a-->'.repeat(size)) }),
  },
  {
    name: 'comments between elements',
    limit: itemLength / 8,
    parts: (size) => ({ children: '<!--a-->'.repeat(size) }),
  },
  {
    name: 'long comment',
    limit: itemLength,
    parts: (size) => ({ children: `<!--${'- '.repeat(size / 2)}-->` }),
  },
  {
    name: 'processing instructions',
    limit: itemLength / 6,
    parts: (size) => ({ children: '<?a b?>'.repeat(size) }),
  },
  { name: 'spaces between elements', limit: itemLength, parts: (size) => ({ children: ' '.repeat(size) }) },
  {
    name: 'empty elements',
    from: 16_384,
    limit: children,
    parts: (size) => ({ children: '<x:a xmlns:x="urn:x"/>'.repeat(size) }),
  },
  {
    name: 'elements in an element',
    limit: elements * 6,
    parts: (size) => ({ children: `<x:a xmlns:x="urn:x">${'<x:b/>'.repeat(size)}</x:a>` }),
  },
  {
    name: 'elements of names of their own',
    limit: children,
    parts: (size) => ({ children: each(size, (n) => `<x:a${n} xmlns:x="urn:x"/>`) }),
  },
  {
    name: 'elements of namespaces of their own',
    limit: children,
    parts: (size) => ({ children: each(size, (n) => `<p${n}:a xmlns:p${n}="urn:${n}"/>`) }),
  },
  {
    name: 'elements of namespaces around',
    from: 400,
    limit: children,
    parts: (size) => ({
      root: each(200, (n) => ` xmlns:p${n}="urn:${n}"`),
      children: each(size, (n) => `<p${n % 200}:a/>`),
    }),
  },
  {
    name: 'elements that change the default namespace',
    limit: children,
    parts: (size) => ({ children: each(size, (n) => `<a xmlns="urn:${n}"/>`) }),
  },
  {
    name: 'deep elements',
    limit: 50,
    parts: (size) => ({
      children: `${'<x:a xmlns:x="urn:x">'.repeat(size)}${'</x:a>'.repeat(size)}`.repeat(500),
    }),
  },
  {
    name: 'attributes',
    limit: attributes,
    parts: (size) => ({ children: `<x:a xmlns:x="urn:x"${each(size, (n) => ` a${n}="v"`)}/>`.repeat(100) }),
  },
  {
    name: 'attributes of namespaces',
    limit: attributes,
    parts: (size) => ({
      root: each(size, (n) => ` xmlns:p${n}="urn:${n}"`),
      children: `<a xmlns="urn:a"${each(size, (n) => ` p${n}:a="v"`)}/>`.repeat(20),
    }),
  },
  {
    name: 'long attribute',
    limit: itemLength,
    parts: (size) => ({ children: `<x:a xmlns:x="urn:x" b="${'a&#10;'.repeat(size / 6)}"/>` }),
  },
  {
    name: 'attributes of the item',
    limit: attributes / 2,
    parts: (size) => ({ attributes: each(size, (n) => ` xmlns:q${n}="urn:${n}" q${n}:a="v"`) }),
  },
  {
    name: 'bases',
    limit: children,
    parts: (size) => ({ children: each(size, (n) => `<x:a xmlns:x="urn:x" xml:base="http://a/${n}/"/>`) }),
  },
  {
    name: 'categories',
    limit: children,
    parts: (size, markup) => ({
      children: each(size, (n) =>
        own(markup, { atom: `<category term="c${n}"/>`, rss: `<category>c${n}</category>` }),
      ),
    }),
  },
  {
    name: 'equal categories',
    limit: children,
    parts: (size, markup) => ({
      children: own(markup, { atom: '<category term="c"/>', rss: '<category>c</category>' }).repeat(size),
    }),
  },
  {
    name: 'links',
    limit: children,
    parts: (size, markup) => ({
      children: each(size, (n) =>
        own(markup, { atom: `<link rel="r${n}" href="http://a/${n}"/>`, rss: `<link>http://a/${n}</link>` }),
      ),
    }),
  },
  {
    name: 'links of Atom',
    limit: children,
    parts: (size) => ({
      children: each(size, (n) => `<link xmlns="${atomNamespace}" rel="enclosure" href="${n}" length="1"/>`),
    }),
  },
  {
    name: 'enclosures',
    limit: children,
    parts: (size, markup) => ({
      children: each(size, (n) =>
        own(markup, {
          atom: `<link rel="enclosure" href="http://a/${n}" length="1"/>`,
          rss: `<enclosure url="http://a/${n}" length="1" type="a/b"/>`,
        }),
      ),
    }),
  },
  {
    name: 'media',
    limit: children,
    parts: (size) => ({
      children:
        '<m:group xmlns:m="http://search.yahoo.com/mrss/">' +
        `${each(size, (n) => `<m:content url="http://a/${n}" type="a/b"/>`)}</m:group>`,
    }),
  },
  {
    name: 'authors',
    limit: children,
    parts: (size, markup) => ({
      children: each(size, (n) =>
        own(markup, {
          atom: `<author><name>a${n}</name></author>`,
          rss: `<author>a${n}@b.example (a)</author>`,
        }),
      ),
    }),
  },
  {
    name: 'contributors',
    limit: children,
    parts: (size) => ({
      children: each(size, (n) => `<contributor xmlns="${atomNamespace}"><name>a${n}</name></contributor>`),
    }),
  },
  {
    name: 'creators',
    limit: children,
    parts: (size) => ({
      children: each(size, (n) => `<d:creator xmlns:d="http://purl.org/dc/elements/1.1/">a${n}</d:creator>`),
    }),
  },
  {
    name: 'dates',
    limit: children,
    parts: (size, markup) => ({
      children: each(size, () =>
        own(markup, {
          atom: '<updated>2026-01-01T00:00:00Z</updated>',
          rss: '<pubDate>Thu, 01 Jan 2026 00:00:00 GMT</pubDate>',
        }),
      ),
    }),
  },
  {
    name: 'wrong dates',
    limit: children,
    parts: (size, markup) => ({
      children: each(size, () =>
        own(markup, { atom: '<updated>soon</updated>', rss: '<pubDate>soon</pubDate>' }),
      ),
    }),
  },
  {
    name: 'identifiers',
    limit: children,
    parts: (size, markup) => ({
      children: each(size, (n) => own(markup, { atom: `<id>urn:${n}</id>`, rss: `<guid>urn:${n}</guid>` })),
    }),
  },
  {
    name: 'contents',
    limit: children,
    parts: (size, markup) => ({ children: each(size, (n) => content(markup, `&lt;p>${n}`)) }),
  },
  {
    name: 'encoded contents',
    limit: children,
    parts: (size) => ({
      children: each(
        size,
        (n) => `<c:encoded xmlns:c="http://purl.org/rss/1.0/modules/content/">&lt;p>${n}</c:encoded>`,
      ),
    }),
  },
  {
    name: 'HTML elements',
    limit: itemLength / 16,
    parts: (size, markup) => ({ children: content(markup, '&lt;p>a&lt;/p>'.repeat(size)) }),
  },
  {
    name: 'unclosed HTML elements',
    limit: itemLength / 8,
    parts: (size, markup) => ({ children: content(markup, '&lt;b>'.repeat(size)) }),
  },
  {
    name: 'HTML references',
    limit: itemLength / 48,
    parts: (size, markup) => ({
      children: content(markup, '&lt;a href="b" srcset="c 1x, d 2x">e&lt;/a>'.repeat(size)),
    }),
  },
  {
    name: 'sources in one HTML element',
    limit: itemLength / 8,
    parts: (size, markup) => ({ children: content(markup, `&lt;img srcset="${'a 1x, '.repeat(size)}">`) }),
  },
  {
    name: 'HTML without ends',
    limit: itemLength / 8,
    parts: (size, markup) => ({ children: content(markup, '&lt;a href="'.repeat(size)) }),
  },
  {
    name: 'less-than signs in HTML',
    limit: itemLength / 4,
    parts: (size, markup) => ({ children: content(markup, '&lt;'.repeat(size)) }),
  },
  {
    name: 'ampersands in HTML',
    limit: itemLength / 8,
    parts: (size, markup) => ({ children: content(markup, '&amp;a'.repeat(size)) }),
  },
  {
    name: 'XHTML elements',
    limit: elements * 2,
    for: ['atom', 'plain-atom'],
    parts: (size, markup) => ({
      children: content(
        markup,
        `<div xmlns="http://www.w3.org/1999/xhtml">${'<p><a href="b">c</a></p>'.repeat(size / 2)}</div>`,
        'xhtml',
      ),
    }),
  },
  {
    name: 'deleted entries',
    limit: children,
    for: ['plain-atom'],
    parts: (size) => ({
      children: each(
        size,
        (n) => `<at:deleted-entry xmlns:at="http://purl.org/atompub/tombstones/1.0" ref="urn:${n}"/>`,
      ),
    }),
  },
  // Versions.
  { name: 'long id', limit: 4096, for: versioned, parts: (size) => ({ id: 'a'.repeat(size) }) },
  {
    name: 'histories',
    limit: elements,
    for: versioned,
    parts: (size, markup) => ({ entries: each(size, (n) => entry(markup, n)) }),
  },
  {
    name: 'histories of one endpoint',
    limit: elements,
    for: feedsync,
    parts: (size) => ({ entries: each(size, (n) => `<sx:history sequence="${size - n}" by="here"/>`) }),
  },
  {
    name: 'histories of this endpoint',
    limit: elements,
    for: feedsync,
    parts: (size) => ({
      entries: each(
        size,
        (n) => `<sx:history sequence="${size - n}" when="2026-01-01T00:00:00Z" by="test:here"/>`,
      ),
    }),
  },
  {
    name: 'histories without an endpoint',
    limit: elements,
    for: feedsync,
    parts: (size) => ({
      entries: each(size, (n) => `<sx:history sequence="${n + 1}" when="2026-01-01T00:00:00Z"/>`),
    }),
  },
  {
    name: 'histories of long endpoints',
    limit: 900,
    for: feedsync,
    parts: (size, markup) => ({
      entries: each(size, (n) => entry(markup, n, '', `${'a'.repeat(4000)}${n}`)),
    }),
  },
  {
    name: 'foreign attributes of histories',
    limit: elements / 2,
    for: versioned,
    parts: (size, markup) => ({
      entries: each(size, (n) => entry(markup, n, ` p:a="b" xmlns:p="urn:${n}"`)),
    }),
  },
  {
    name: 'foreign elements of the versions',
    limit: elements,
    for: versioned,
    parts: (size) => ({ sync: each(size, (n) => `<p:a xmlns:p="urn:${n}"/>`) }),
  },
  {
    name: 'unknown elements of the versions',
    limit: elements,
    for: versioned,
    parts: (size) => ({ sync: '<sx:unknown/>'.repeat(size) }),
  },
  {
    name: 'unknown elements',
    limit: children,
    for: ['atom', 'rss', 'sse', 'cse'],
    parts: (size) => ({ children: '<sx:unknown/>'.repeat(size) }),
  },
  {
    name: 'wrong histories',
    limit: elements,
    for: feedsync,
    parts: (size) => ({ entries: '<sx:history sequence="-1" by=""/>'.repeat(size) }),
  },
  {
    name: 'conflicts',
    limit: 9700,
    for: versioned,
    parts: (size, markup) => ({
      sync: `<sx:conflicts>${each(size, (n) => conflict(markup, n))}</sx:conflicts>`,
    }),
  },
  {
    name: 'large conflicts',
    limit: 400,
    for: versioned,
    parts: (size, markup) => ({
      sync: conflictsOf(size, (n) => conflict(markup, n, content(markup, '&lt;p>'.repeat(1500)))),
    }),
  },
  {
    name: 'conflicts of conflicts',
    limit: 5000,
    for: feedsync,
    parts: (size, markup) => ({
      sync: conflictsOf(size, (n) =>
        conflict(markup, n).replace('</sx:sync>', `${conflictsOf(1, () => conflict(markup, n + size))}$&`),
      ),
    }),
  },
  {
    name: 'lists of conflicts',
    limit: 9700,
    for: versioned,
    parts: (size, markup) => ({
      sync: each(size, (n) => `<sx:conflicts>${conflict(markup, n)}</sx:conflicts>`),
    }),
  },
  {
    name: 'wrong conflicts',
    limit: elements,
    for: versioned,
    parts: (size) => ({ sync: `<sx:conflicts>${'<x:a xmlns:x="urn:x"/>'.repeat(size)}</sx:conflicts>` }),
  },
  {
    name: 'further versions',
    from: 9000,
    limit: children,
    for: versioned,
    parts: (size, markup) => ({
      moreSync: each(size, (n) => `<sx:sync id="x" updates="1"><sx:conflicts/>${entry(markup, n)}</sx:sync>`),
    }),
  },
  // Trees.
  {
    name: 'links of a tree',
    limit: 5000,
    for: ['cse'],
    parts: (size) => ({ children: each(size, (n) => `<sx:link>files/${n}.bin</sx:link>`) }),
  },
  {
    name: 'equal links of a tree',
    limit: 5000,
    for: ['cse'],
    parts: (size) => ({ children: '<sx:link>files/a.bin</sx:link>'.repeat(size) }),
  },
  {
    name: 'links within an element',
    limit: 5000,
    for: ['cse'],
    parts: (size) => ({
      children: `<x:a xmlns:x="urn:x">${each(size, (n) => `<sx:link xml:base="/a/">${n}</sx:link>`)}</x:a>`,
    }),
  },
  {
    name: 'nested feeds',
    limit: 5000,
    for: ['cse'],
    parts: (size) => ({ children: each(size, (n) => `<sx:link nestedFeed="true">${n}.rss</sx:link>`) }),
  },
];

/** An item with these parts. */
export function itemXml(
  markup: Markup,
  { children = '', attributes = '', entries = '', sync = '', id = 'x', moreSync = '' }: ItemParts,
): string {
  const name = isAtom(markup) ? 'entry' : 'item';
  // Such as many entries have, each of which counts one at least.
  const updates = entries === '' ? '1' : '999999';
  const version = {
    feedsync:
      `<sx:sync id="${id}" updates="${updates}"><sx:history sequence="${updates}" by="there"/>` +
      `${entries}${sync}</sx:sync>${moreSync}`,
    sse:
      `<sx:sync id="${id}" version="${updates}">` +
      '<sx:history when="Thu, 01 Jan 2026 00:00:00 GMT" by="there">' +
      `${entries}</sx:history>${sync}</sx:sync>${moreSync}`,
    none: isAtom(markup) ? '<id>urn:x</id>' : '<guid>x</guid>',
  };
  const kind = markup === 'sse' ? 'sse' : versioned.includes(markup) ? 'feedsync' : 'none';
  return `<${name}${attributes}><title>T</title>${version[kind]}${children}</${name}>`;
}

/** A feed that has these items, in one of the markups. */
export function feedXml(markup: Markup, items: string, root = '', head = ''): string {
  const declaration = namespaces[markup] === undefined ? '' : ` xmlns:sx="${namespaces[markup]}"`;
  return isAtom(markup)
    ? `<feed xmlns="${atomNamespace}"${declaration}${root}><title>F</title>${head}${items}</feed>`
    : `<rss version="2.0"${declaration}${root}><channel><title>F</title>${head}${items}</channel></rss>`;
}
