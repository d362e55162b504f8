import { escapeAttribute, htmlOfText } from '#xml';
import type { Markup } from '#xml';
import { isVoidElement } from '../write-markup.ts';

/** Text in which there are tags, so that it is HTML already. */
const tag = /<[a-z/!][^<>]*>/i;

/** The content of an element as HTML; its own tags, prefixes and declarations are left out. */
export function markupAsHtml(pieces: readonly Markup[]): string {
  let html = '';
  const open: string[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'text') html += tag.test(piece.text) ? piece.text : htmlOfText(piece.text);
    else if (piece.kind === 'end') {
      const name = open.pop() ?? '';
      if (open.length > 0 && !isVoidElement(name)) html += `</${name}>`;
    } else {
      if (open.length > 0) html += startTag(piece);
      open.push(piece.name);
    }
  }
  return html.trim();
}

function startTag({ name, attributes }: Extract<Markup, { kind: 'start' }>): string {
  const written = attributes.map(({ namespace, name: attribute, value }) =>
    namespace === '' ? ` ${attribute}="${escapeAttribute(value)}"` : '',
  );
  return `<${name}${written.join('')}>`;
}
