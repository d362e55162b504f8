import { elementsIn } from '../conformance/plain/plain-element.ts';
import type { PlainElement } from '../conformance/plain/plain-element.ts';

export const atom = 'http://www.w3.org/2005/Atom';
export const contentModule = 'http://purl.org/rss/1.0/modules/content/';
export const dublinCore = 'http://purl.org/dc/elements/1.1/';

/** Collects what is wrong with a feed, each with where it is. */
export class Faults {
  readonly all: string[] = [];

  /** Notes a fault unless something holds. */
  expect(holds: boolean, where: string, what: string): void {
    if (!holds) this.all.push(`${where}: ${what}`);
  }
}

/** The children of an element with this name. */
export function named(element: PlainElement, namespace: string, name: string): PlainElement[] {
  return elementsIn(element).filter((child) => child.name === name && child.namespace === namespace);
}

/** All of the text in an element, as it stands. */
export function textIn({ children }: PlainElement): string {
  return children.map((child) => (typeof child === 'string' ? child : textIn(child))).join('');
}

/** RFC 3986, 3: a scheme, and after it only characters that a URI may have. */
export function isAbsoluteUri(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/.test(text);
}

export function isMediaType(text: string): boolean {
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;.*)?$/.test(text);
}

/** RFC 3339, 5.6, of a day that exists. */
export function isDateTime(text: string): boolean {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/.exec(text);
  const date = new Date(`${match?.[1] ?? ''}T${match?.[2] ?? ''}Z`);
  return match !== null && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(match[1] ?? ' ');
}

/** RFC 822, 5.1, with a year of four digits, in GMT and on the day of the week that it was. */
export function isRfc822(text: string): boolean {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toUTCString() === text;
}

/** The references in a piece of HTML that have no scheme and do not lead into it, by a crude look at it. */
export function relativeReferencesIn(html: string): string[] {
  return [...html.matchAll(/<(?:a|img)\s[^<>]*?(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)]
    .map(([, double, single]) => (double ?? single ?? '').trim())
    .filter(
      (reference) =>
        reference !== '' && !reference.startsWith('#') && !/^[a-z][a-z0-9+.-]*:/i.test(reference),
    );
}

/** Whether what is no markup could be taken for it: a tag, or a reference. */
export function looksLikeMarkup(text: string): boolean {
  return /<[/a-z]|&(?:#\d+|#x[0-9a-f]+|[a-z][a-z0-9]*);/i.test(text);
}
