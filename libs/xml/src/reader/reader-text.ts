import { resolveBase } from '../base.ts';
import { textOfHtml } from '../html-text.ts';
import type { Child, Scope } from '../payload.ts';
import { declareOn } from '../start-tag.ts';
import { oneLine, readContent } from '../text-content.ts';
import { withAbsoluteReferences } from './html-references.ts';
import { htmlOfXhtml } from './xhtml-as-html.ts';
import type { Steps } from '../steps.ts';

/**
 * A text that a feed reader shows: as it stands, or a piece of HTML in which every reference is absolute.
 * Never blank.
 */
export interface ReaderText {
  readonly type: 'text' | 'html';
  readonly value: string;
}

/**
 * Reads an Atom text (RFC 4287, 3.1) or content (4.1.3). Returns undefined for a blank one and for one in a
 * media type that no reader shows, such as XML or Base64.
 * @param address absolute: what relative references are for if neither the text nor the scope says
 *   anything else
 */
export function* readReaderText(child: Child, scope: Scope, address: string): Steps<ReaderText | undefined> {
  const { attributes, text } = readContent(child.xml);
  if (attributes.has('src')) return undefined;
  const type = attributes.get('type')?.trim().toLowerCase() ?? 'text';
  const outer = resolveBase(address, scope.base);
  if (type === 'xhtml')
    return filled('html', yield* htmlOfXhtml(declareOn(child.xml, { namespaces: scope.namespaces }), outer));
  if (type === 'html' || /^text\/html\s*(?:;|$)/.test(type)) {
    const base = resolveBase(outer, attributes.get('xml:base')) ?? address;
    return filled('html', yield* withAbsoluteReferences(text.trim(), base));
  }
  return type === 'text' || /^text\/plain\s*(?:;|$)/.test(type) ? filled('text', text.trim()) : undefined;
}

function filled(type: ReaderText['type'], value: string): ReaderText | undefined {
  return value === '' ? undefined : { type, value };
}

/** An Atom text in plain characters, on one line; empty if it has none. */
export function plainTitle(child: Child): string {
  const { attributes, text } = readContent(child.xml);
  const plain = attributes.get('type')?.trim() === 'html' ? textOfHtml(text) : text;
  return oneLine(plain);
}

/** HTML that was cut off, without the tag in which it ends. */
function withoutOpenTag(html: string): string {
  const open = html.indexOf('<', html.lastIndexOf('>') + 1);
  return open < 0 ? html : html.slice(0, open);
}

/**
 * Roughly what a text says, on one line and in so many characters at most: whole words, and an ellipsis if
 * more follow.
 */
export function beginningOf({ type, value }: ReaderText, length: number): string {
  // Of a long text no more than can matter is looked at.
  const text = oneLine(
    type === 'html' ? textOfHtml(withoutOpenTag(value.slice(0, 20 * length))) : value.slice(0, 2 * length),
  );
  const characters = Array.from(text);
  if (characters.length <= length) return text;
  const cut = characters.slice(0, length).join('');
  return `${(/^(.*\S)\s\S*$/.exec(cut)?.[1] ?? cut).trim()}\u2026`;
}
