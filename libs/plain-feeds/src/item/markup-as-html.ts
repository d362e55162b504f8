import { escapeAttribute, htmlOfText, isVoidElement, xhtmlNamespace } from '#xml';
import type { Markup } from '#xml';

/** Text in which there are tags, so that it is HTML already. */
const tag = /<[a-z/!][^<>]*>/i;

/** The content of an element as HTML; its own tags, prefixes and declarations are left out. */
export function markupAsHtml(pieces: readonly Markup[], depth = 1): string {
  let html = '';
  const open: string[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'text') html += tag.test(piece.text) ? piece.text : htmlOfText(piece.text);
    else if (piece.kind === 'end') {
      const name = open.pop() ?? '';
      if (open.length >= depth && !isVoidElement(name)) html += `</${name}>`;
    } else {
      if (open.length >= depth) html += startTag(piece);
      open.push(piece.name);
    }
  }
  return html.trim();
}

/**
 * The content of the `div` that is all of an Atom text of type `xhtml` (RFC 4287 3.1.1.3), and whether it
 * is in the namespace of XHTML; undefined if there is anything else.
 */
export function contentOfDivision(
  pieces: readonly Markup[],
): { readonly html: string; readonly isXhtml: boolean } | undefined {
  let depth = 0;
  let isXhtml = true;
  let count = 0;
  for (const piece of pieces) {
    if (piece.kind === 'end') depth -= 1;
    if (piece.kind === 'text' && depth === 1 && piece.text.trim() !== '') return undefined;
    if (piece.kind !== 'start') continue;
    if (depth === 1) {
      count += 1;
      isXhtml &&= piece.namespace === xhtmlNamespace;
      if (piece.name !== 'div' || count > 1) return undefined;
    }
    depth += 1;
  }
  return count === 1 ? { html: markupAsHtml(pieces, 2), isXhtml } : undefined;
}

function startTag({ name, attributes }: Extract<Markup, { kind: 'start' }>): string {
  const written = attributes.map(({ namespace, name: attribute, value }) =>
    namespace === '' ? ` ${attribute}="${escapeAttribute(value)}"` : '',
  );
  return `<${name}${written.join('')}>`;
}
