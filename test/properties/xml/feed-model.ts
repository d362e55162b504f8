import fc from 'fast-check';

/** A random item as text inside a feed that binds `fs` to FeedSync. */
export interface RandomFeed {
  readonly xml: string;
  readonly format: 'atom' | 'rss';
}

const syncNamespace = 'http://feedsync.org/2007/feedsync';
const atomNamespace = 'http://www.w3.org/2005/Atom';
const prefixes = ['a', 'b', 'sx', 'n1', '__proto__', 'constructor', 'é'];
const namespaces = [
  'urn:one',
  'urn:two?a=1&b="2"',
  atomNamespace,
  'http://www.w3.org/1999/xhtml',
  syncNamespace,
];

/** Namespace declarations and inherited attributes of one element. */
interface Setting {
  readonly declarations: readonly (readonly [string, string])[];
  readonly defaultNamespace?: string;
  readonly base?: string;
  readonly language?: string;
}

type Node =
  | {
      readonly kind: 'element';
      readonly setting: Setting;
      readonly choice: number;
      readonly name: string;
      readonly attributes: readonly (readonly [number, string, string])[];
      readonly children: readonly Node[];
    }
  | { readonly kind: 'text' | 'cdata' | 'comment' | 'instruction'; readonly text: string };

/** Bindings in scope, by prefix. */
type Bindings = ReadonlyMap<string, string>;

const character = fc
  .oneof(
    fc.constantFrom(
      'a',
      ':',
      ' ',
      '\n',
      '\t',
      '\r',
      '&',
      '<',
      '>',
      '"',
      "'",
      ']',
      '-',
      '?',
      'é',
      '😀',
      '\u0085',
      '\u2028',
      '\uFFFD',
      'a:b',
      'sx:c',
    ),
    fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }),
  )
  .filter((text) => /^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u.test(text));
const text = fc.array(character, { maxLength: 8 }).map((characters) => characters.join(''));

const setting: fc.Arbitrary<Setting> = fc.record({
  declarations: fc.uniqueArray(fc.tuple(fc.constantFrom(...prefixes), fc.constantFrom(...namespaces)), {
    maxLength: 3,
    selector: ([prefix]) => prefix,
  }),
  defaultNamespace: fc.option(fc.constantFrom('', ...namespaces.slice(0, 4)), { nil: undefined, freq: 2 }),
  base: fc.option(fc.constantFrom('http://example.com/x/y', 'sub/', '../up?a&b', '/root/', ''), {
    nil: undefined,
    freq: 2,
  }),
  language: fc.option(fc.constantFrom('de', 'en-GB', ''), { nil: undefined, freq: 2 }),
});

const { node } = fc.letrec<{ node: Node; element: Node }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ kind: fc.constantFrom('text', 'cdata', 'comment', 'instruction'), text }),
    tie('element'),
  ),
  element: fc.record({
    kind: fc.constant('element'),
    setting,
    choice: fc.nat(9),
    name: fc.constantFrom('title', 'link', 'e', '__proto__', 'toString', 'é'),
    attributes: fc.array(fc.tuple(fc.nat(9), fc.constantFrom('rel', 'c', 'constructor'), text), {
      maxLength: 3,
    }),
    children: fc.array(tie('node'), { maxLength: 3 }),
  }),
}));

const version = fc.record({ setting, children: fc.array(node, { maxLength: 4 }) });

/** Random feeds of one item with up to two conflicts, in both formats. */
export const randomFeed: fc.Arbitrary<RandomFeed> = fc
  .record({
    format: fc.constantFrom('atom', 'rss'),
    feed: setting,
    item: version,
    conflicts: fc.array(version, { maxLength: 2 }),
    lineEnd: fc.constantFrom('\n', '\r\n'),
  })
  .map(({ format, feed, item, conflicts, lineEnd }) => {
    // The feed's own elements have a prefix, so that the default namespace may be any.
    const root: Bindings = new Map([
      ['fs', syncNamespace],
      ...(format === 'atom' ? [['f', atomNamespace] as const] : []),
    ]);
    const own = format === 'atom' ? feed : { ...feed, defaultNamespace: undefined };
    const inFeed = bind(root, own);
    const nested = conflicts.map((conflict) =>
      writeVersion(format, conflict, inVersion(inFeed, item.setting, format), ''),
    );
    const inside = writeVersion(
      format,
      item,
      inFeed,
      nested.length > 0 ? `<fs:conflicts>${nested.join(lineEnd)}</fs:conflicts>` : '',
    );
    const declarations =
      [...root].map(([prefix, namespace]) => ` xmlns:${prefix}="${namespace}"`).join('') + writeSetting(own);
    const xml =
      format === 'atom'
        ? `<f:feed${declarations}>${lineEnd}${inside}</f:feed>`
        : `<rss version="2.0"${declarations}><channel>${lineEnd}${inside}</channel></rss>`;
    return { xml, format };
  });

function inVersion(outer: Bindings, setting: Setting, format: RandomFeed['format']): Bindings {
  return bind(outer, format === 'atom' ? setting : { ...setting, defaultNamespace: undefined });
}

function writeVersion(
  format: RandomFeed['format'],
  { setting, children }: { setting: Setting; children: readonly Node[] },
  outer: Bindings,
  conflicts: string,
): string {
  const own = format === 'atom' ? setting : { ...setting, defaultNamespace: undefined };
  const inside = bind(outer, own);
  const name = format === 'atom' ? 'f:entry' : 'item';
  const sync = `<fs:sync id="i" updates="1"><fs:history sequence="1" by="A"/>${conflicts}</fs:sync>`;
  return (
    `<${name}${writeSetting(own)}>${children.map((child) => writeNode(child, inside)).join('')}${sync}` +
    `</${name}>`
  );
}

function bind(outer: Bindings, { declarations, defaultNamespace }: Setting): Bindings {
  const bindings = new Map([...outer, ...declarations]);
  if (defaultNamespace !== undefined) bindings.set('', defaultNamespace);
  return bindings;
}

function writeSetting({ declarations, defaultNamespace, base, language }: Setting): string {
  return [
    ...declarations.map(([prefix, namespace]) => [`xmlns:${prefix}`, namespace] as const),
    ['xmlns', defaultNamespace] as const,
    ['xml:base', base] as const,
    ['xml:lang', language] as const,
  ]
    .map(([name, value]) => (value === undefined ? '' : ` ${name}='${escape(value)}'`))
    .join('');
}

function writeNode(node: Node, outer: Bindings): string {
  switch (node.kind) {
    case 'text':
      return escape(node.text);
    case 'cdata':
      return `<![CDATA[${node.text.replaceAll(']]>', '')}]]>`;
    case 'comment':
      return `<!--${node.text.replaceAll('-', '')}-->`;
    case 'instruction':
      return `<?go ${node.text.replaceAll('?', '')}?>`;
    default:
      return writeElement(node, outer);
  }
}

function writeElement(
  { setting, choice, name, attributes, children }: Extract<Node, { kind: 'element' }>,
  outer: Bindings,
): string {
  const inside = bind(outer, setting);
  const bound = [...inside.keys()].filter((prefix) => prefix !== '').sort();
  const qualified = (choice: number, name: string) =>
    choice % 2 === 0 ? name : `${bound[choice % bound.length] ?? 'fs'}:${name}`;
  const seen = new Set<string>();
  const written = attributes.map(([choice, name, value]) => {
    const attribute = qualified(choice, name);
    const [prefix] = attribute.includes(':') ? attribute.split(':') : [];
    const expanded = `{${prefix === undefined ? '' : inside.get(prefix)}}${name}`;
    if (seen.has(expanded)) return '';
    seen.add(expanded);
    return ` ${attribute}="${escape(value)}"`;
  });
  return (
    `<${qualified(choice, name)}${writeSetting(setting)}${written.join('')}>` +
    `${children.map((child) => writeNode(child, inside)).join('')}</${qualified(choice, name)}>`
  );
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (special) => `&#${special.charCodeAt(0)};`).replaceAll('\r', '&#xD;');
}
