import { createHash } from 'node:crypto';
import { atomNamespace, formatNamespace, rawAttributes, readContent, readDate } from '#xml';
import type { Child, Payload } from '#xml';
import { sameAddress } from './same-address.ts';

/** What an item of a plain feed is identified by, the best first, and its date. */
export interface PlainIdentity {
  /** `atom:id` or `guid`. */
  readonly identifier?: string;
  readonly link?: string;
  /** The identifier, if it is the item's only link. */
  readonly permalink?: string;
  /** A digest of what stays when an item is corrected: its title, else its enclosure, else its text. */
  readonly digest?: string;
  /** When it was last changed, as far as it says so, else when it was made: RFC 3339, whole seconds, UTC. */
  readonly date?: string;
}

const dublinCore = 'http://purl.org/dc/elements/1.1/';
const dublinCoreTerms = 'http://purl.org/dc/terms/';

/** The elements that say a date, the best first. */
const dates: readonly (readonly [namespace: string, name: string])[] = [
  [atomNamespace, 'updated'],
  [dublinCoreTerms, 'modified'],
  [atomNamespace, 'published'],
  ['', 'pubDate'],
  [dublinCore, 'date'],
  [dublinCoreTerms, 'issued'],
];

/** Reads what tells an item of a plain feed apart. */
export function plainIdentity({ format, children }: Payload): PlainIdentity {
  const own = (name: string): Child[] =>
    children.filter((child) => child.namespace === formatNamespace(format) && child.name === name);
  const textOf = (child: Child | undefined): string =>
    child === undefined ? '' : readContent(child.xml).text.replace(/\s+/g, ' ').trim();
  const identifier = textOf(own(format === 'atom' ? 'id' : 'guid')[0]);
  const link =
    format === 'atom'
      ? alternateLink(own('link'))
      : own('link')
          .map(textOf)
          .find((text) => text !== '');
  const isPermalink =
    format === 'rss' &&
    (link ?? '') === '' &&
    /^https?:\/\//i.test(identifier) &&
    own('guid').every((guid) => attributeOf(guid, 'isPermaLink') !== 'false');
  const enclosure = [...own('enclosure'), ...own('link').filter((child) => relationOf(child) === 'enclosure')]
    .map((child) => attributeOf(child, format === 'atom' ? 'href' : 'url'))
    .find((url) => url !== undefined);
  const text =
    textOf(own('title')[0]) ||
    sameAddress(enclosure ?? '') ||
    textOf(own('summary')[0] ?? own('content')[0] ?? own('description')[0]);
  const date = dates
    .flatMap(([namespace, name]) =>
      children.filter((child) => child.namespace === namespace && child.name === name),
    )
    .map((child) => readDate(textOf(child))?.dateTime)
    .find((read) => read !== undefined);
  return {
    ...(identifier !== '' && { identifier }),
    ...(isPermalink && { permalink: identifier }),
    ...(link !== undefined && link !== '' && { link }),
    ...(text !== '' && { digest: digestOf(text) }),
    ...(date !== undefined && { date }),
  };
}

/** A digest as an identifier may have it: 32 hexadecimal digits. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
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
