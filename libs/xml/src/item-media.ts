import { resolveBase } from './base.ts';
import { childElements } from './child-elements.ts';
import { atomNamespace, podcastNamespace } from './namespace.ts';
import type { Child, Scope } from './payload.ts';
import { absoluteUrl } from './reader/absolute-url.ts';
import { readAttributes, readContent } from './text-content.ts';

/** The namespace of Media RSS. */
export const mediaNamespace = 'http://search.yahoo.com/mrss/';

/** A file that belongs to an item. */
export interface Enclosure {
  /** Absolute, if the base of the item is known. */
  readonly url: string;
  /** In bytes. */
  readonly length?: number;
  /** The media type. */
  readonly type?: string;
}

/** How many groups and contents of an item are looked into, and how long one may be, in UTF-16 code units. */
const mostHolders = 100;
const holderLength = 65_536;

/**
 * Returns the elements of Media RSS in an item: its children, and those in `media:group` and `media:content`,
 * each with the declarations that it needs. Looks into the first 100 of these, and into none beyond 64 KiB.
 */
export function mediaElements(children: readonly Child[], scope: Scope): readonly Child[] {
  let holders = 0;
  const within = (child: Child): readonly Child[] => {
    if (!isHolder(child) || holders === mostHolders) return [child];
    holders += 1;
    const inner = innerElements(child, scope);
    return child.name === 'group' ? inner.flatMap(within) : [child, ...inner];
  };
  return children.filter(({ namespace }) => namespace === mediaNamespace).flatMap(within);
}

function isHolder({ name, xml }: Child): boolean {
  return (name === 'group' || name === 'content') && xml.length <= holderLength;
}

function innerElements(holder: Child, scope: Scope): readonly Child[] {
  if (!readContent(holder.xml).hasElements) return [];
  return childElements(holder, scope).filter(({ namespace }) => namespace === mediaNamespace);
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
  const first = (all: readonly Child[], attribute: string): string | undefined => {
    const holder = all.find((child) => address(child, attribute) !== undefined);
    return holder && address(holder, attribute);
  };
  return (
    first(named('thumbnail'), 'url') ??
    first(podcast, 'href') ??
    first(named('content').filter(isPicture), 'url') ??
    enclosuresOf(children, scope).find(({ type = '' }) => /^image\//i.test(type))?.url
  );
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
