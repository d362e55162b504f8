import { resolveBase } from './base.ts';
import { atomNamespace } from './namespace.ts';
import type { Child, Scope } from './payload.ts';
import { absoluteUrl } from './reader/absolute-url.ts';
import { declareOn } from './start-tag.ts';
import { readAttributes, readContent } from './text-content.ts';
import { readTree } from './tree.ts';

/** The namespace of Media RSS. */
export const mediaNamespace = 'http://search.yahoo.com/mrss/';
const podcastNamespace = 'http://www.itunes.com/dtds/podcast-1.0.dtd';

/** A file that belongs to an item. */
export interface Enclosure {
  /** Absolute, if the base of the item is known. */
  readonly url: string;
  /** In bytes. */
  readonly length?: number;
  /** The media type. */
  readonly type?: string;
}

/**
 * Returns the elements of Media RSS in an item: its children, and those in `media:group` and `media:content`,
 * each with the declarations that it needs.
 */
export function mediaElements(children: readonly Child[], scope: Scope): readonly Child[] {
  return children
    .filter(({ namespace }) => namespace === mediaNamespace)
    .flatMap((child) => within(child, scope));
}

function within(child: Child, scope: Scope): readonly Child[] {
  const isHolder = child.name === 'group' || child.name === 'content';
  if (!isHolder || !readContent(child.xml).hasElements) return [child];
  const xml = declareOn(child.xml, { namespaces: scope.namespaces });
  const inner = readTree(xml).children.map(({ namespace, name, start, end }) => ({
    namespace,
    name,
    xml: declareOn(xml.slice(start, end), { namespaces: scope.namespaces }),
  }));
  const inside = inner.filter(({ namespace }) => namespace === mediaNamespace);
  return child.name === 'group' ? inside.flatMap((one) => within(one, scope)) : [child, ...inside];
}

/** Returns the enclosures of an item: those of RSS, and Atom links of relation `enclosure`. */
export function enclosuresOf(children: readonly Child[], scope: Scope): readonly Enclosure[] {
  const found = children.flatMap((child) => enclosureIn(child, scope) ?? []);
  return [...new Map(found.map((enclosure) => [enclosure.url, enclosure])).values()];
}

function enclosureIn({ namespace, name, xml }: Child, scope: Scope): Enclosure | undefined {
  const isOfRss = namespace === '' && name === 'enclosure';
  if (!isOfRss && (namespace !== atomNamespace || name !== 'link')) return undefined;
  const attributes = readAttributes(xml);
  if (!isOfRss && attributes.get('rel')?.trim() !== 'enclosure') return undefined;
  const base = resolveBase(scope.base, attributes.get('xml:base'));
  const url = addressIn(attributes.get(isOfRss ? 'url' : 'href'), base);
  if (url === undefined) return undefined;
  const [length = '', type = ''] = [attributes.get('length')?.trim(), attributes.get('type')?.trim()];
  return {
    url,
    ...(/^[1-9][0-9]{0,14}$/.test(length) && { length: Number(length) }),
    ...(isMediaType(type) && { type }),
  };
}

/** Whether a text is a media type, with or without parameters. */
export function isMediaType(type: string): boolean {
  return /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+(?:\s*;.*)?$/i.test(type);
}

/**
 * Returns the address of the picture of an item: its thumbnail (Media RSS), its image in a podcast, or the
 * first picture among its media and enclosures. Undefined if it has none.
 */
export function imageOf(children: readonly Child[], scope: Scope): string | undefined {
  const media = mediaElements(children, scope);
  const named = (name: string): Child[] => media.filter((child) => child.name === name);
  const address = ({ xml }: Child, attribute: string): string | undefined => {
    const attributes = readAttributes(xml);
    return addressIn(attributes.get(attribute), resolveBase(scope.base, attributes.get('xml:base')));
  };
  const podcast = children.filter(
    ({ namespace, name }) => namespace === podcastNamespace && name === 'image',
  );
  return [
    ...named('thumbnail').map((child) => address(child, 'url')),
    ...podcast.map((child) => address(child, 'href')),
    ...named('content')
      .filter(isPicture)
      .map((child) => address(child, 'url')),
    ...enclosuresOf(children, scope)
      .filter(({ type = '' }) => /^image\//i.test(type))
      .map(({ url }) => url),
  ].find((url) => url !== undefined);
}

function isPicture({ xml }: Child): boolean {
  const attributes = readAttributes(xml);
  return attributes.get('medium') === 'image' || /^\s*image\//i.test(attributes.get('type') ?? '');
}

/** An address made absolute as far as its base is known; undefined for a blank one. */
export function addressIn(reference: string | undefined, base: string | undefined): string | undefined {
  const text = reference?.trim() ?? '';
  if (text === '') return undefined;
  return absoluteUrl(text, base) ?? (base === undefined ? text : undefined);
}
