import fc from 'fast-check';

export const cseNamespace = 'http://schemas.microsoft.com/rss/2007/contentsyncextensions';

/** Declarations and inherited attributes of one element. */
interface Setting {
  readonly declarations: readonly (readonly [prefix: string, namespace: string])[];
  readonly base?: string;
  readonly language?: string;
}

type Node =
  | { readonly kind: 'text' | 'cdata' | 'comment'; readonly text: string }
  | {
      readonly kind: 'link';
      readonly setting: Setting;
      readonly url: string;
      readonly form: number;
      readonly nestedFeed?: string;
      readonly onDemand?: string;
    }
  | {
      readonly kind: 'element';
      readonly setting: Setting;
      readonly name: string;
      readonly prefixed: boolean;
      readonly value: string;
      readonly children: readonly Node[];
    };

/** Bindings in scope, by prefix. */
type Bindings = ReadonlyMap<string, string>;

const text = fc
  .string({ unit: 'grapheme', maxLength: 6 })
  .map((any) => any.replace(/[^\t\n\u0020-\u007E\u00A0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '_'));

function setting(namespaces: readonly string[]): fc.Arbitrary<Setting> {
  return fc.record(
    {
      declarations: fc.uniqueArray(
        fc.tuple(fc.constantFrom('csx', 'c', 'x', 'n0'), fc.constantFrom(...namespaces)),
        { maxLength: 2, selector: ([prefix]) => prefix },
      ),
      base: fc.constantFrom('http://cdn.example/x/y', 'sub/', '../up?a&b', '/root/'),
      language: fc.constantFrom('de', 'en-GB'),
    },
    { requiredKeys: ['declarations'] },
  );
}

const inner = setting([cseNamespace, 'urn:one', 'urn:two?a=1&b="2"']);
const mark = fc.oneof({ weight: 3, arbitrary: fc.constant('false') }, fc.constantFrom('true', 'TRUE'));
const link: fc.Arbitrary<Node> = fc.record(
  {
    kind: fc.constant('link' as const),
    setting: inner,
    url: fc.constantFrom(
      'a.jpg',
      'a.jpg',
      ' ../b?x=1&y=<2> ',
      'http://other.example/c#part',
      '/d',
      '',
      'http://[',
    ),
    form: fc.nat(3),
    nestedFeed: mark,
    onDemand: mark,
  },
  { requiredKeys: ['kind', 'setting', 'url', 'form'] },
);

const { element } = fc.letrec<{ node: Node; element: Node }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ kind: fc.constantFrom('text', 'cdata', 'comment'), text }),
    link,
    tie('element'),
  ),
  element: fc.record({
    kind: fc.constant('element'),
    setting: inner,
    name: fc.constantFrom('title', 'link', 'Photos', 'lastBuildDate'),
    prefixed: fc.boolean(),
    value: text,
    children: fc.array(tie('node'), { maxLength: 3 }),
  }),
}));

const date = fc.constantFrom('Mon, 01 Jan 2007 00:00:00 GMT', 'soon');
const item = fc.record(
  {
    setting: inner,
    guid: fc.oneof(text, fc.constant('g')),
    date,
    hidden: fc.boolean(),
    children: fc.array(fc.oneof(link, element), { maxLength: 4 }),
  },
  { requiredKeys: ['setting', 'hidden', 'children'] },
);

/** Random feeds of trees as text, with up to three items. */
export const randomCseFeed: fc.Arbitrary<string> = fc
  .record({
    defaultNamespace: fc.option(fc.constant('urn:default'), { freq: 4, nil: undefined }),
    feed: setting(['urn:one', 'urn:three']),
    items: fc.array(item, { minLength: 1, maxLength: 3 }),
  })
  .map(({ defaultNamespace, feed, items }) => {
    const root = new Map([
      ['k', cseNamespace],
      ...(defaultNamespace === undefined ? [] : [['', defaultNamespace] as const]),
    ]);
    const inFeed = bind(root, feed);
    const written = items.map(({ setting, guid, date, hidden, children }) => {
      const inItem = bind(inFeed, setting);
      const own =
        (guid === undefined ? '' : `<guid>${escape(guid)}</guid>`) +
        (date === undefined ? '' : `<k:lastBuildDate>${date}</k:lastBuildDate>`);
      return (
        `<item${writeSetting(setting)}${hidden ? ' k:hiddenItem="true"' : ''}>` +
        `${own}${children.map((child) => writeNode(child, inItem)).join('')}</item>`
      );
    });
    const declarations = [...root].map(([prefix, namespace]) => declaration(prefix, namespace)).join('');
    return (
      `<rss version="2.0"${declarations}${writeSetting(feed)}>` +
      `<channel>\n${written.join('\n')}</channel></rss>`
    );
  });

function bind(outer: Bindings, { declarations }: Setting): Bindings {
  return new Map([...outer, ...declarations]);
}

function writeSetting({ declarations, base, language }: Setting): string {
  const inherited = [
    ...(base === undefined ? [] : [` xml:base="${escape(base)}"`]),
    ...(language === undefined ? [] : [` xml:lang="${language}"`]),
  ];
  return (
    declarations.map(([prefix, namespace]) => declaration(prefix, namespace)).join('') + inherited.join('')
  );
}

function declaration(prefix: string, namespace: string): string {
  return ` xmlns${prefix === '' ? '' : `:${prefix}`}="${escape(namespace)}"`;
}

function writeNode(node: Node, outer: Bindings): string {
  switch (node.kind) {
    case 'text':
      return escape(node.text);
    case 'cdata':
      return `<![CDATA[${node.text.replaceAll(']]>', '')}]]>`;
    case 'comment':
      return `<!--${node.text.replaceAll('-', '')}-->`;
    case 'link':
      return writeLink(node, bind(outer, node.setting));
    default: {
      const inside = bind(outer, node.setting);
      const prefix = [...inside.keys()].filter((prefix) => prefix !== '' && prefix !== 'k').at(-1);
      const name = node.prefixed && prefix !== undefined ? `${prefix}:${node.name}` : node.name;
      return (
        `<${name}${writeSetting(node.setting)} a=">${escape(node.value)}">` +
        `${node.children.map((child) => writeNode(child, inside)).join('')}</${name}>`
      );
    }
  }
}

function writeLink(
  { setting, url, form, nestedFeed, onDemand }: Extract<Node, { kind: 'link' }>,
  inside: Bindings,
): string {
  const prefixes = [...inside].flatMap(([prefix, namespace]) => (namespace === cseNamespace ? [prefix] : []));
  const name = `${prefixes.at(-1) ?? 'k'}:link`;
  const marks =
    (nestedFeed === undefined ? '' : ` nestedFeed="${nestedFeed}"`) +
    (onDemand === undefined ? '' : ` onDemand='${onDemand}'`);
  const content = [
    escape(url),
    `<![CDATA[${url}]]>`,
    `<!-- > -->${escape(url)}`,
    `${escape(url.slice(0, 2))}<![CDATA[${url.slice(2)}]]>`,
  ][form];
  return `<${name}${writeSetting(setting)}${marks}>${content}</${name} >`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (special) => `&#${special.charCodeAt(0)};`);
}
