import { atomNamespace, readAttributes, readContent } from '#xml';
import type { Child } from '#xml';
import { element, writeValue } from './value-element.ts';

/**
 * A link or an enclosure with its address and its relation as they are meant; undefined for one without an
 * address.
 */
export function mendLink(child: Child): Child | undefined {
  const { namespace, name, xml } = child;
  if (namespace === '' && name === 'enclosure')
    return isBlank(readAttributes(xml).get('url')) ? undefined : child;
  if (name !== 'link') return child;
  if (namespace === atomNamespace) return mendAtomLink(child);
  return namespace === '' ? mendRssLink(child) : child;
}

function mendAtomLink(child: Child): Child | undefined {
  const attributes = readAttributes(child.xml);
  const { href, rel } = { href: attributes.get('href') ?? '', rel: attributes.get('rel') };
  if (isBlank(href)) return undefined;
  const address = webAddress(href);
  const relation = rel && relationOf(rel);
  if (address === href && relation === rel) return child;
  const all = new Map([
    ...attributes,
    ['href', address],
    ...(relation === undefined ? [] : [['rel', relation] as const]),
  ] as [string, string][]);
  return element(child, [...all]);
}

/** An RSS link; some are written as in Atom. */
function mendRssLink(child: Child): Child | undefined {
  const { text, attributes } = readContent(child.xml);
  const written = isBlank(text) ? (attributes.get('href') ?? '') : text;
  if (isBlank(written)) return undefined;
  const address = webAddress(written);
  return address === text ? child : writeValue(child, address);
}

/** A relation without the address of the registry (RFC 4287 4.2.7.2). */
function relationOf(written: string): string {
  return written
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\/www\.iana\.org\/assignments\/relation\//, '');
}

/** An address without white space around it, and without the scheme `feed`. */
function webAddress(written: string): string {
  return written
    .trim()
    .replace(/^feed:(?:\/\/)?(?=https?:)/i, '')
    .replace(/^feed:\/\//i, 'http://');
}

function isBlank(text: string | undefined): boolean {
  return (text?.trim() ?? '') === '';
}
