import { createHash } from 'node:crypto';
import {
  atomNamespace,
  contentNamespace,
  dateInPayload,
  dublinCoreNamespace,
  dublinCoreTermsNamespace,
  formatNamespace,
  rawAttributes,
  readContent,
  readDate,
} from '#xml';
import type { Child, Payload } from '#xml';
import { sameAddress } from './same-address.ts';

/** What an item of a plain feed is identified by, the best first, and its date. */
export interface PlainIdentity {
  /** `atom:id` or `guid`. */
  readonly identifier?: string;
  readonly link?: string;
  /** A digest of what stays when an item is corrected: its title, else its enclosure, else its text. */
  readonly digest?: string;
  /** A digest of its title and texts. */
  readonly text: string;
  /** When it was last changed, as far as it says so, else when it was made: RFC 3339, whole seconds, UTC. */
  readonly date?: string;
  /** When it was published, in the same form. */
  readonly published?: string;
}

/** The elements that say a date, the best first. */
const dates: readonly (readonly [namespace: string, name: string])[] = [
  [atomNamespace, 'updated'],
  [dublinCoreTermsNamespace, 'modified'],
  [atomNamespace, 'published'],
  ['', 'pubDate'],
  [dublinCoreNamespace, 'date'],
  [dublinCoreTermsNamespace, 'issued'],
  [dublinCoreTermsNamespace, 'created'],
  ['http://prismstandard.org/namespaces/basic/2.0/', 'publicationDate'],
];

/** Reads what tells an item of a plain feed apart. */
export function plainIdentity({ format, children }: Payload): PlainIdentity {
  const called = (name: string, namespace = formatNamespace(format)): Child[] =>
    children.filter((child) => child.namespace === namespace && child.name === name);
  const identifier = textOf(called(format === 'atom' ? 'id' : 'guid')[0]);
  const link = format === 'atom' ? alternateLink(called('link')) : firstText(called('link'));
  const enclosure = [
    ...called('enclosure'),
    ...called('link').filter((child) => relationOf(child) === 'enclosure'),
  ]
    .map((child) => attributeOf(child, format === 'atom' ? 'href' : 'url'))
    .find((url) => url !== undefined);
  const texts = [
    ...called('summary'),
    ...called('content'),
    ...called('description'),
    ...called('encoded', contentNamespace),
  ];
  const title = textOf(called('title')[0]);
  const stable = title || sameAddress(enclosure ?? '') || firstText(texts);
  const date = dates
    .flatMap(([namespace, name]) => called(name, namespace))
    .map((child) => readDate(textOf(child))?.dateTime)
    .find((read) => read !== undefined);
  const published = dateInPayload({ children });
  return {
    ...(identifier !== '' && { identifier }),
    ...(link !== undefined && link !== '' && { link }),
    ...(stable !== undefined && stable !== '' && { digest: digestOf(stable) }),
    text: digestOf([title, ...texts.map(textOf)].join('\n')),
    ...(date !== undefined && { date }),
    ...(published !== undefined && { published }),
  };
}

/** A digest as an identifier may have it: 32 hexadecimal digits. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function textOf(child: Child | undefined): string {
  return child === undefined ? '' : readContent(child.xml).text.replace(/\s+/g, ' ').trim();
}

function firstText(children: readonly Child[]): string | undefined {
  return children.map(textOf).find((text) => text !== '');
}

function alternateLink(links: readonly Child[]): string | undefined {
  return links
    .filter((link) => ['alternate', ''].includes(relationOf(link)))
    .map((link) => attributeOf(link, 'href'))
    .find((href) => href !== undefined && href !== '');
}

function relationOf(link: Child): string {
  return attributeOf(link, 'rel') ?? '';
}

function attributeOf({ xml }: Child, wanted: string): string | undefined {
  return rawAttributes(xml)
    .find(({ name }) => name === wanted)
    ?.value.trim();
}
