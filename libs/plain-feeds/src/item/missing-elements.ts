import {
  atomNamespace,
  htmlOfText,
  mediaElements,
  mediaNamespace,
  readAttributes,
  readContent,
  readDate,
  readMarkup,
} from '#xml';
import type { Child, FeedFormat, Format, Scope } from '#xml';
import { markupAsHtml } from './markup-as-html.ts';
import { element } from './value-element.ts';

const contentNamespace = 'http://purl.org/rss/1.0/modules/content/';
const dublinCore = 'http://purl.org/dc/elements/1.1/';
const dublinCoreTerms = 'http://purl.org/dc/terms/';
const podcast = 'http://www.itunes.com/dtds/podcast-1.0.dtd';
const feedburner = 'http://rssnamespace.org/feedburner/ext/1.0';
const xhtmlNamespace = 'http://www.w3.org/1999/xhtml';

interface ItemScope {
  readonly format: Format;
  readonly scope: Scope;
}

type Name = readonly [namespace: string, name: string];

/** Text as it is in an element of a module; HTML if `isHtml`. */
interface ModuleText {
  readonly text: string;
  readonly isHtml: boolean;
}

/**
 * Returns the elements of its format that an item lacks and modules contain: title, content, link, date of
 * publication and enclosures.
 */
export function missingElements(children: readonly Child[], { format, scope }: ItemScope): Child[] {
  if (format === 'opml') return [];
  const media = mediaElements(children, scope);
  const all = [...children.filter(({ namespace }) => namespace !== mediaNamespace), ...media];
  return [
    ...missingTitle(all, format),
    ...missingContent(all, format, scope),
    ...missingLink(children, format),
    ...missingDate(children, format),
    ...missingEnclosures(children, media, format),
  ];
}

const titles: readonly Name[] = [
  [dublinCore, 'title'],
  [mediaNamespace, 'title'],
  [podcast, 'title'],
];

function missingTitle(all: readonly Child[], format: FeedFormat): Child[] {
  const own: Name = [ownNamespace(format), 'title'];
  if (firstText(all, [own]) !== undefined) return [];
  const title = firstText(all, titles);
  return title === undefined ? [] : [element({ namespace: own[0], name: 'title' }, [], title.text)];
}

const contents: Readonly<Record<FeedFormat, readonly Name[]>> = {
  atom: [
    [atomNamespace, 'content'],
    [atomNamespace, 'summary'],
    [contentNamespace, 'encoded'],
  ],
  rss: [
    [contentNamespace, 'encoded'],
    ['', 'description'],
    [atomNamespace, 'content'],
    [atomNamespace, 'summary'],
  ],
};
const descriptions: readonly Name[] = [
  [dublinCore, 'description'],
  [dublinCoreTerms, 'abstract'],
  [mediaNamespace, 'description'],
  [podcast, 'summary'],
  ['http://wordpress.org/export/1.2/excerpt/', 'encoded'],
  ['http://www.google.com/schemas/play-podcasts/1.0', 'description'],
  [podcast, 'subtitle'],
];

function missingContent(all: readonly Child[], format: FeedFormat, scope: Scope): Child[] {
  const own = contents[format].filter(([namespace, name]) => hasContent(all, namespace, name));
  const body = all.find(({ namespace, name }) => namespace === xhtmlNamespace && isBody(name));
  const whole = body && { text: markupAsHtml(readMarkup(body, scope)), isHtml: true };
  if (whole !== undefined && whole.text !== '' && !own.some(([, name]) => name !== 'description'))
    return [writeContent(whole, format, own.length > 0)];
  if (own.length > 0) return [];
  const said = firstText(all, descriptions);
  return said === undefined ? [] : [writeContent(said, format, false)];
}

function isBody(name: string): boolean {
  return name === 'body' || name === 'div';
}

/** Whether an item has content of this name: text, elements, or an address. */
function hasContent(all: readonly Child[], namespace: string, name: string): boolean {
  return called(all, [namespace, name]).some(({ xml }) => {
    const { text, hasElements, attributes } = readContent(xml);
    return text.trim() !== '' || hasElements || attributes.has('src');
  });
}

function writeContent({ text, isHtml }: ModuleText, format: FeedFormat, hasSummary: boolean): Child {
  if (format === 'atom')
    return element({ namespace: atomNamespace, name: 'content' }, isHtml ? [['type', 'html']] : [], text);
  const name = hasSummary
    ? { namespace: contentNamespace, name: 'encoded' }
    : { namespace: '', name: 'description' };
  return element(name, [], isHtml ? text : htmlOfText(text));
}

const links: readonly Name[] = [
  [feedburner, 'origLink'],
  [dublinCore, 'identifier'],
  [dublinCoreTerms, 'identifier'],
];

function missingLink(children: readonly Child[], format: FeedFormat): Child[] {
  const alternates = called(children, [atomNamespace, 'link'])
    .map(({ xml }) => readAttributes(xml))
    .filter((attributes) => ['alternate', undefined].includes(attributes.get('rel')?.trim()))
    .map((attributes) => attributes.get('href'));
  if (format === 'atom') {
    const [href] = alternates.length > 0 ? [] : addresses(children, links);
    return href === undefined
      ? []
      : [
          element({ namespace: atomNamespace, name: 'link' }, [
            ['rel', 'alternate'],
            ['href', href],
          ]),
        ];
  }
  if (firstText(children, [['', 'link']]) !== undefined) return [];
  const [link] = [...alternates, ...permalinks(children), ...addresses(children, links)].flatMap(
    (one) => one ?? [],
  );
  return link === undefined ? [] : [element({ namespace: '', name: 'link' }, [], link)];
}

/** The `guid` of an item if it is an address (RSS 2.0, `isPermaLink`). */
function permalinks(children: readonly Child[]): string[] {
  const guids = called(children, ['', 'guid']);
  const isPermalink = guids.every(({ xml }) =>
    [...readAttributes(xml)].every(
      ([name, value]) => !/^ispermalink$/i.test(name) || !/^\s*false\s*$/i.test(value),
    ),
  );
  return isPermalink ? addresses(children, [['', 'guid']]) : [];
}

/** The texts of elements that are addresses of the web. */
function addresses(children: readonly Child[], names: readonly Name[]): string[] {
  return names
    .flatMap((name) => called(children, name))
    .map(({ xml }) => readContent(xml).text.trim())
    .filter((text) => /^https?:\/\/\S+$/i.test(text));
}

/** The elements from which the date of publication is taken: those that endpoints replace, and old ones. */
const dates: Readonly<Record<FeedFormat, readonly Name[]>> = {
  atom: [
    [atomNamespace, 'issued'],
    [atomNamespace, 'created'],
    ['', 'pubDate'],
  ],
  rss: [['', 'pubDate']],
};

/** The date of publication as Atom has it. */
function missingDate(children: readonly Child[], format: FeedFormat): Child[] {
  if (called(children, [atomNamespace, 'published']).length > 0) return [];
  const date = dates[format]
    .flatMap((name) => called(children, name))
    .map(({ xml }) => readDate(readContent(xml).text.trim())?.dateTime)
    .find((read) => read !== undefined);
  return date === undefined ? [] : [element({ namespace: atomNamespace, name: 'published' }, [], date)];
}

function missingEnclosures(children: readonly Child[], media: readonly Child[], format: FeedFormat): Child[] {
  const known = new Set(
    [...called(children, ['', 'enclosure']), ...called(children, [atomNamespace, 'link'])].map(({ xml }) => {
      const attributes = readAttributes(xml);
      return (attributes.get('url') ?? attributes.get('href'))?.trim();
    }),
  );
  return media
    .filter(({ name }) => name === 'content')
    .flatMap(({ xml }) => {
      const attributes = readAttributes(xml);
      const url = attributes.get('url')?.trim() ?? '';
      if (url === '' || known.has(url)) return [];
      known.add(url);
      const others = [
        ['length', attributes.get('fileSize')?.trim()],
        ['type', attributes.get('type')?.trim()],
      ].flatMap(([name = '', value]) =>
        value === undefined || value === '' ? [] : [[name, value] as const],
      );
      return format === 'rss'
        ? [element({ namespace: '', name: 'enclosure' }, [['url', url], ...others])]
        : [
            element({ namespace: atomNamespace, name: 'link' }, [
              ['rel', 'enclosure'],
              ['href', url],
              ...others,
            ]),
          ];
    });
}

/** The first text that is not blank of elements, the best name first. */
function firstText(children: readonly Child[], names: readonly Name[]): ModuleText | undefined {
  for (const name of names)
    for (const { xml } of called(children, name)) {
      const { text, attributes } = readContent(xml);
      const isHtml = attributes.get('type') === 'html' || /<[a-z/!][^<>]*>|&[a-z0-9#]+;/i.test(text);
      if (text.trim() !== '') return { text: text.trim(), isHtml };
    }
  return undefined;
}

function called(children: readonly Child[], [namespace, name]: Name): Child[] {
  return children.filter((child) => child.name === name && child.namespace === namespace);
}

function ownNamespace(format: FeedFormat): string {
  return format === 'atom' ? atomNamespace : '';
}
