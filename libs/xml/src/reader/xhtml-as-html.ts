import { isUrl } from '../url.ts';
import { SaxesParser } from 'saxes';
import type { SaxesTagNS } from 'saxes';
import { resolveBase } from '../base.ts';
import { escapeAttribute, escapeText } from '../escape.ts';
import { isVoidElement } from '../html-text.ts';
import { xhtmlNamespace } from '../namespace.ts';
import { absoluteValue } from './html-references.ts';
import type { Steps } from '../steps.ts';

/** What HTML can embed of other vocabularies. */
const embeddedNamespaces: ReadonlySet<string> = new Set([
  'http://www.w3.org/2000/svg',
  'http://www.w3.org/1998/Math/MathML',
]);
const xlinkNamespace = 'http://www.w3.org/1999/xlink';

/** Elements whose content HTML reads differently from XML; they mean nothing in a feed reader. */
const droppedElements: ReadonlySet<string> = new Set(['script', 'style']);

/** How much of a text one step reads, in UTF-16 code units. */
const stepLength = 16_384;

/**
 * The content of an Atom text of type `xhtml` (RFC 4287, 3.1.1.3) as HTML: what is in the `div`, without
 * prefixes and with every relative reference made absolute. Of an element that HTML does not know only the
 * content is kept. A step reads 16 KiB.
 * @param xml the element that holds the `div`, well-formed with all declarations on it
 * @param base the absolute address that references are for; absent if there is none
 */
export function* htmlOfXhtml(xml: string, base?: string): Steps<string> {
  let html = '';
  /** The bases of the open elements; the holder and its `div` are the first two. */
  const bases: (string | undefined)[] = [];
  let dropped = 0;
  const add = (text: string): void => {
    if (dropped === 0) html += escapeText(text);
  };
  const saxes = new SaxesParser({ xmlns: true });
  saxes.on('opentag', (tag) => {
    const here = resolveBase(bases.length === 0 ? base : bases.at(-1), tag.attributes['xml:base']?.value);
    bases.push(here);
    if (dropped > 0 || isDropped(tag)) dropped += 1;
    else if (bases.length > 2 && isWritten(tag)) html += startTag(tag, here);
  });
  saxes.on('text', add);
  saxes.on('cdata', add);
  saxes.on('closetag', (tag) => {
    if (dropped > 0) dropped -= 1;
    else if (bases.length > 2 && isWritten(tag) && !isVoid(tag)) html += `</${tag.local}>`;
    bases.pop();
  });
  for (let start = 0; start < xml.length; start += stepLength) {
    saxes.write(xml.slice(start, start + stepLength));
    yield;
  }
  saxes.close();
  return html.trim();
}

function isWritten({ uri }: SaxesTagNS): boolean {
  return uri === xhtmlNamespace || embeddedNamespaces.has(uri);
}

function isDropped({ uri, local }: SaxesTagNS): boolean {
  return uri === xhtmlNamespace && droppedElements.has(local);
}

function isVoid({ uri, local }: SaxesTagNS): boolean {
  return uri === xhtmlNamespace && isVoidElement(local);
}

function startTag({ local, attributes }: SaxesTagNS, base: string | undefined): string {
  let written = `<${local}`;
  for (const attribute of Object.values(attributes)) {
    const name = htmlName(attribute);
    if (name === undefined) continue;
    const absolute =
      base === undefined || !isUrl(base) ? undefined : absoluteValue(name, attribute.value, base);
    written += ` ${name}="${escapeAttribute(absolute ?? attribute.value)}"`;
  }
  return `${written}>`;
}

function htmlName({ name, prefix, local, uri }: SaxesTagNS['attributes'][string]): string | undefined {
  if (name === 'xmlns' || prefix === 'xmlns') return undefined;
  if (prefix === '') return local;
  if (name === 'xml:lang') return 'lang';
  return uri === xlinkNamespace && local === 'href' ? 'xlink:href' : undefined;
}
