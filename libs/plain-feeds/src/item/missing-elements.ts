import {
  atomNamespace,
  dublinCoreNamespace,
  dublinCoreTermsNamespace,
  mediaElements,
  mediaNamespace,
  readAttributes,
  readContent,
  readDate,
} from '#xml';
import type { Child, FeedFormat, Format, Scope } from '#xml';
import { missingContent, missingTitle } from './missing-texts.ts';
import { addresses, called, firstText } from './named-elements.ts';
import type { Name } from './named-elements.ts';
import { element } from './value-element.ts';

const feedburner = 'http://rssnamespace.org/feedburner/ext/1.0';

interface ItemScope {
  readonly format: Format;
  readonly scope: Scope;
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

const links: readonly Name[] = [
  [feedburner, 'origLink'],
  [dublinCoreNamespace, 'identifier'],
  [dublinCoreTermsNamespace, 'identifier'],
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
