/** One way in which feeds are broken. */
export interface Breakage {
  readonly name: string;
  /** The broken feed, in UTF-8 if it is a text; undefined for a feed that can't be broken so. */
  readonly apply: (feed: string) => string | Uint8Array | undefined;
  /** How many of its last items are lost; default 0. */
  readonly lost?: number;
  /** Whether the feed is well-formed all the same. */
  readonly isWellFormed?: true;
}

/** Replaces every match; undefined if there is none. */
function replace(pattern: RegExp, by: string): Breakage['apply'] {
  return (feed) => {
    const broken = feed.replace(pattern, by);
    return broken === feed ? undefined : broken;
  };
}

/** Gives each item a text in the place of the one that it has. */
function withText(text: string): (feed: string) => string | undefined {
  return (feed) => {
    if (/<(?:rss|rdf:RDF)\b/.test(feed))
      return changed(
        feed,
        feed.replace(/<item[\s>][^]*?<\/item>/g, (item) =>
          item
            .replace(/<description>[^]*?<\/description>/, '')
            .replace('</item>', () => `<description>${text}</description></item>`),
        ),
      );
    return changed(
      feed,
      feed.replace(/<\/entry>/g, () => `<summary type="html">${text}</summary></entry>`),
    );
  };
}

function changed(feed: string, broken: string): string | undefined {
  return broken === feed ? undefined : broken;
}

function isXml(feed: string): boolean {
  return feed.startsWith('<');
}

/** Puts a text before the document. */
function after(text: string): Breakage['apply'] {
  return (feed) => (isXml(feed) ? text + feed : undefined);
}

/** Puts a text behind the document. */
function before(text: string): Breakage['apply'] {
  return (feed) => (isXml(feed) ? feed.trimEnd() + text : undefined);
}

/** What Windows-1252 has for characters that ISO 8859-1 has not. */
const ofWindows: ReadonlyMap<string, number> = new Map([
  ['\u2013', 0x96],
  ['\u201C', 0x93],
  ['\u201D', 0x94],
]);

/** The feed in Windows-1252, with characters in each item that are others in UTF-8. */
function inWindows1252(declared: string): Breakage['apply'] {
  return (feed) => {
    const text = isXml(feed) ? withText('caf\u00E9 \u2013 cr\u00E8me')(feed) : undefined;
    if (text === undefined) return undefined;
    const declaration = declared === '' ? '' : `<?xml version="1.0" encoding="${declared}"?>`;
    const characters = Array.from(declaration + text.replace(/^<\?xml[^>]*\?>/, ''));
    const codes = characters.map((character) => ofWindows.get(character) ?? character.codePointAt(0) ?? 0);
    return codes.every((code) => code < 256) ? Uint8Array.from(codes) : undefined;
  };
}

/** A change of feeds in UTF-8 alone. */
function inUtf8(apply: Breakage['apply']): Breakage['apply'] {
  return (feed) => (/encoding=["']iso/.test(feed) ? undefined : apply(feed));
}

/** Another declaration of the encoding, over bytes that are UTF-8. */
function declaring(encoding: string): Breakage['apply'] {
  return (feed) => {
    if (!feed.startsWith('<?xml')) return undefined;
    return feed.replace(/^<\?xml[^>]*\?>/, `<?xml version="1.0" encoding="${encoding}"?>`);
  };
}

/** The last match alone. */
function replaceLast(text: string, by: string): Breakage['apply'] {
  return (feed) => {
    const at = feed.lastIndexOf(text);
    return at < 0 ? undefined : feed.slice(0, at) + by + feed.slice(at + text.length);
  };
}

const text = (name: string, content: string, isWellFormed?: true): Breakage => ({
  name,
  apply: withText(content),
  ...(isWellFormed && { isWellFormed }),
});

/** The ways in which feeds are broken that users of feed libraries report, and some that only look so. */
export const breakages: readonly Breakage[] = [
  // Text.
  text('an ampersand', 'Fish & chips'),
  text('an ampersand before a word', 'R&D at AT&T'),
  text('a query in an address', 'See http://x.example/?a=1&b=2&copy=3'),
  text('a reference of HTML', 'one&nbsp;two'),
  text('references of HTML', 'caf&eacute; &copy; 2026 &hellip; &rarr;'),
  text('a reference that nobody knows', 'one &unknown; two'),
  text('a reference without an end', 'one &nbsp two &amp three'),
  text('a reference to a forbidden character', 'one &#11; two &#x1F; three'),
  text('a reference to nothing', 'one &#; two &#x; three'),
  text('a reference beyond Unicode', 'one &#x110000; two'),
  text('a less-than sign', '1 < 2'),
  text('a less-than sign before a letter', 'a <b and c'),
  text('a heart', 'I <3 apples'),
  text('an arrow', 'a <- b -> c <= d'),
  text('the end of a section', 'one ]]> two'),
  text('a control character', 'one \u000B two'),
  text('a form feed', 'one \f two'),
  text('a null', 'one \u0000 two'),
  text('an escape', 'one \u001B[0m two'),
  { name: 'a character that is none', apply: inUtf8(withText('one \uFFFF two')) },
  // HTML that is not escaped.
  text('a line break of HTML', 'one<br>two'),
  text('a paragraph without an end', '<p>one<p>two'),
  text('an image', '<img src=http://x.example/a.png alt=A>'),
  text('an image without quotes around a query', '<img src="http://x.example/?a=1&b=2">'),
  text('a link with a query', '<a href="http://x.example/?a=1&b=2">one</a>'),
  text('crossed elements', '<b><i>one</b></i>'),
  text('an end without a beginning', 'one</p>'),
  text('ends without beginnings', 'one</div></div></span>'),
  text('a script', '<script>if (a < b && c) { d(); }</script>'),
  text('a table', '<table><tr><td>one<td>two</table>'),
  text('a comment of HTML', 'one <!-- more --> two', true),
  text('a comment with hyphens', 'one <!-- a -- b --> two'),
  text('a comment without an end', 'one <!- two ->'),
  text('an attribute twice', '<a href="x" href="y">one</a>'),
  text('an attribute without a value', '<input disabled> one'),
  text('an attribute with a less-than sign', '<a title="1 < 2">one</a>'),
  text('well-formed HTML', '<p>one <em>two</em></p>', true),
  // Sections.
  text('a section in a section', '<![CDATA[one <![CDATA[two]]> three]]>'),
  text('a section in small letters', '<![cdata[one]]>'),
  text('an empty section', '<![CDATA[]]>', true),
  { name: 'a last section without an end', apply: replaceLast(']]>', '') },
  // Tags.
  {
    name: 'a title without an end',
    apply: replace(/<\/title>(?=\s*<(?:link|guid|description|id|updated)\b)/g, ''),
  },
  {
    name: 'a link without an end',
    apply: replace(/<\/link>(?=\s*<(?:guid|description|comments|pubDate)\b)/g, ''),
  },
  { name: 'a text without an end', apply: replace(/<\/description>(?=\s*<\/item>)/g, '') },
  { name: 'items without ends', apply: replace(/<\/(?:item|entry)>(?=\s*<(?:item|entry)\b)/g, '') },
  { name: 'a last item without an end', apply: replaceLast('</item>', '') },
  { name: 'ends of items twice', apply: replace(/<\/(item|entry)>/g, '</$1></$1>') },
  { name: 'a channel without an end', apply: replace(/<\/channel>(?=\s*<\/rss>)/, '') },
  { name: 'a root without an end', apply: replace(/<\/(?:rss|feed|rdf:RDF)>\s*$/, '') },
  { name: 'neither end', apply: replace(/<\/channel>\s*<\/rss>\s*$/, '') },
  { name: 'an end in another place', apply: replace(/<\/(item|entry)>/, '</b></$1>') },
  {
    name: 'capital letters',
    apply: (feed) =>
      /<rss/.test(feed)
        ? feed.replace(
            /(<\/?)(rss|channel|item|title|link|guid|description)(?=[\s>])/g,
            (_all, start: string, name: string) => start + name.toUpperCase(),
          )
        : undefined,
  },
  { name: 'ends in capital letters', apply: replace(/<\/item>/g, '</ITEM>') },
  { name: 'attributes without quotes', apply: replace(/version="([0-9.]+)"(?=[^?]*>)/, 'version=$1') },
  {
    name: 'an attribute of the root twice',
    apply: replace(/<rss version="([0-9.]+)"/, '<rss version="$1" version="$1"'),
  },
  {
    name: 'an ampersand in an attribute',
    apply: replace(
      /<\/item>/g,
      '<enclosure url="http://x.example/?a=1&b=2" length="1" type="audio/mpeg"/></item>',
    ),
  },
  {
    name: 'a less-than sign in an attribute',
    apply: replace(/<\/(item|entry)>/g, '<category term="1 < 2" domain="x"/></$1>'),
  },
  {
    name: 'quotes that are not straight',
    apply: replace(/<\/item>/g, '<category domain=\u201Cx\u201D>one</category></item>'),
  },
  // Namespaces.
  { name: 'a known prefix', apply: replace(/<\/(item|entry)>/g, '<geo:lat>46.9</geo:lat></$1>') },
  { name: 'an unknown prefix', apply: replace(/<\/(item|entry)>/g, '<acme:price>3</acme:price></$1>') },
  { name: 'an unknown prefix of an attribute', apply: replace(/<(item|entry)(?=[\s>])/g, '<$1 acme:id="1"') },
  { name: 'Dublin Core without its declaration', apply: replace(/\s+xmlns:dc="[^"]*"(?=[^]*<dc:)/, '') },
  { name: 'media without its declaration', apply: replace(/\s+xmlns:media="[^"]*"(?=[^]*<media:)/, '') },
  {
    name: 'podcasts without their declaration',
    apply: replace(/\s+xmlns:itunes="[^"]*"(?=[^]*<itunes:)/, ''),
  },
  {
    name: 'Atom without its namespace',
    apply: replace(/(<feed[^>]*?)\s+xmlns=(["'])http:\/\/www\.w3\.org\/2005\/Atom\2/, '$1'),
  },
  {
    name: 'Atom in the namespace of a typing error',
    apply: replace(/xmlns=(["'])http:\/\/www\.w3\.org\/2005\/Atom\1/, 'xmlns="http://www.w3.org/2005/atom"'),
  },
  {
    name: 'RSS in a namespace',
    apply: replace(/<rss version="2.0"/, '<rss version="2.0" xmlns="http://backend.userland.com/rss2"'),
    isWellFormed: true,
  },
  // What stands around the document.
  { name: 'a line before the declaration', apply: after('\n') },
  { name: 'lines and a byte order mark', apply: after('\n\n\uFEFF') },
  { name: 'two byte order marks', apply: after('\uFEFF\uFEFF'), isWellFormed: true },
  {
    name: 'a warning of PHP',
    apply: after('Warning: Cannot modify header information in /var/www/feed.php on line 3\n'),
  },
  {
    name: 'a notice of PHP in HTML',
    apply: after(
      '<br />\n<b>Notice</b>:  Undefined index: page in <b>/var/www/feed.php</b> on line <b>12</b><br />\n',
    ),
  },
  { name: 'a comment before the declaration', apply: after('<!-- generated in 0.3 s -->\n') },
  { name: 'two declarations', apply: after('<?xml version="1.0"?>\n') },
  { name: 'text behind the root', apply: before('\nDone in 3 ms.') },
  { name: 'a script behind the root', apply: before('\n<script src="/stats.js"></script>') },
  { name: 'a picture behind the root', apply: before('<img src="/pixel.gif">') },
  { name: 'the document twice', apply: (feed) => (isXml(feed) ? feed + feed : undefined) },
  { name: 'nulls behind the root', apply: before('\u0000\u0000\u0000') },
  { name: 'a comment behind the root', apply: before('\n<!-- cached -->'), isWellFormed: true },
  {
    name: 'a line of code',
    apply: replace(/<(item|entry)(?=[\s>])/, '<?php echo $x ?><$1'),
    isWellFormed: true,
  },
  {
    name: 'a declaration in the middle',
    apply: replace(/<(item|entry)(?=[\s>])/, '<?xml version="1.0"?><$1'),
  },
  { name: 'another version of XML', apply: replace(/^<\?xml version=(["'])1\.0\1/, '<?xml version="1.1"') },
  {
    name: 'a version of XML that there is not',
    apply: replace(/^<\?xml version=(["'])1\.0\1/, '<?xml version="2.0"'),
  },
  {
    name: 'a document type',
    apply: replace(
      /<rss version="0.91"/,
      '<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" ' +
        '"http://my.netscape.com/publish/formats/rss-0.91.dtd"><rss version="0.91"',
    ),
    isWellFormed: true,
  },
  {
    name: 'entities of its own',
    apply: replace(/<(rss|feed)(?=[\s>])/, '<!DOCTYPE $1 [<!ENTITY nbsp "&#160;"><!ENTITY x "y">]><$1'),
  },
  // Encodings.
  { name: 'Windows-1252 that says nothing', apply: inWindows1252('') },
  { name: 'Windows-1252 that says US-ASCII', apply: inWindows1252('us-ascii'), isWellFormed: true },
  { name: 'UTF-8 that says UTF-16', apply: declaring('utf-16') },
  { name: 'UTF-8 that says something unknown', apply: declaring('utf-8-bom') },
  { name: 'UTF-8 that says nonsense', apply: declaring('none') },
  // Structure.
  {
    name: 'items beside the channel',
    apply: (feed) =>
      /<rss/.test(feed)
        ? changed(feed, feed.replace(/(<item[^]*<\/item>)(\s*)<\/channel>/, '</channel>$1'))
        : undefined,
  },
  {
    name: 'a channel for a root',
    apply: (feed) =>
      /^(?:<\?xml[^>]*>)?\s*<rss version="[0-9.]+">\s*<channel>/.test(feed)
        ? feed.replace(/<rss[^>]*>/, '').replace(/<\/rss>/, '')
        : undefined,
  },
  {
    name: 'its end too early',
    apply: (feed) => {
      const at = Math.max(feed.lastIndexOf('</item>'), feed.lastIndexOf('</entry>'));
      return isXml(feed) && at > 0 ? feed.slice(0, at - 3) : undefined;
    },
    lost: 1,
  },
  { name: 'a last tag that breaks off', apply: replace(/<\/(rss|feed)>\s*$/, '</$1') },
];
