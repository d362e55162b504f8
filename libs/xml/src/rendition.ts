import { isUrl, parseUrl } from './url.ts';
import { resolveBase } from './base.ts';
import { htmlOfText } from './escape.ts';
import { textOfHtml } from './html-text.ts';
import { isItemLink } from './mapped-element.ts';
import type { MappedElement } from './mapped-element.ts';

/**
 * The counterpart of an element in the other format; undefined if it has none, such as content in a media
 * type of its own.
 * @param hasBoth whether the item has a content and a summary: in RSS `content:encoded` and `description`
 */
export function renditionOf(element: MappedElement, hasBoth: boolean): MappedElement | undefined {
  return element.format === 'atom' ? inRss(element, hasBoth) : inAtom(element, hasBoth);
}

function inRss(element: MappedElement, hasBoth: boolean): MappedElement | undefined {
  const { name, attributes, text } = element;
  switch (name) {
    case 'title':
      return rss('title', plainText(element), inherited(element));
    case 'content':
      return rss(hasBoth ? 'encoded' : 'description', html(element), inherited(element));
    case 'summary':
      return rss('description', html(element), inherited(element));
    case 'category':
      return attributes.has('term')
        ? rss('category', attributes.get('term'), given({ domain: attributes.get('scheme') }))
        : undefined;
  }
  const url = resolved(attributes.get('href'), element);
  if (url === undefined || text.trim() !== '') return undefined;
  if (isItemLink(element)) return rss('link', url);
  if (attributes.get('rel') !== 'enclosure') return undefined;
  return rss(
    'enclosure',
    '',
    given({ url, length: attributes.get('length') ?? '0', type: attributes.get('type') }),
  );
}

function inAtom(element: MappedElement, hasBoth: boolean): MappedElement | undefined {
  const { name, attributes, text } = element;
  switch (name) {
    case 'title':
      return atom('title', inherited(element), text);
    case 'encoded':
    case 'description':
      return atom(
        name === 'description' && hasBoth ? 'summary' : 'content',
        [...given({ type: /[<&]/.test(text) ? 'html' : undefined }), ...inherited(element)],
        text,
      );
    case 'category':
      return atom('category', given({ term: text, scheme: attributes.get('domain') }));
    case 'link':
      return text.trim() === '' ? undefined : atom('link', given({ href: resolved(text.trim(), element) }));
  }
  const href = resolved(attributes.get('url'), element);
  return href === undefined
    ? undefined
    : atom(
        'link',
        given({ rel: 'enclosure', href, length: attributes.get('length'), type: attributes.get('type') }),
      );
}

/** An Atom text (RFC 4287, 3.1) for a place without markup. */
function plainText({ attributes, text }: MappedElement): string | undefined {
  switch (attributes.get('type')) {
    case undefined:
      return text;
    case 'html':
      return textOfHtml(text);
    case 'xhtml':
      return text.trim();
    default:
      return undefined;
  }
}

/** Atom content (RFC 4287, 4.1.3) or a text as HTML. */
function html({ attributes, text, markup }: MappedElement): string | undefined {
  if (attributes.has('src')) return undefined;
  switch (attributes.get('type')) {
    case undefined:
      return htmlOfText(text);
    case 'html':
      return text;
    case 'xhtml':
      return markup;
    default:
      return undefined;
  }
}

/** A reference made absolute, where its base is. */
function resolved(reference: string | undefined, { base }: MappedElement): string | undefined {
  if (reference === undefined || base === undefined || isUrl(reference)) return reference;
  return parseUrl(reference, base)?.href ?? (isUrl(base) ? resolveBase(base, reference) : reference);
}

function inherited({ attributes }: MappedElement): [string, string][] {
  return [...attributes].filter(([name]) => name === 'xml:base' || name === 'xml:lang');
}

function given(attributes: Readonly<Record<string, string | undefined>>): [string, string][] {
  const all: [string, string][] = [];
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== undefined) all.push([name, value]);
  }
  return all;
}

function rss(
  name: string,
  text: string | undefined,
  attributes: [string, string][] = [],
): MappedElement | undefined {
  return text === undefined ? undefined : { format: 'rss', name, attributes: new Map(attributes), text };
}

function atom(name: string, attributes: [string, string][], text = ''): MappedElement {
  return { format: 'atom', name, attributes: new Map(attributes), text };
}
