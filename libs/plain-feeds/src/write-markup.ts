import { escapeAttribute, escapeText, htmlOfText } from '#xml';
import { inParts, withoutForbidden } from './forbidden-characters.ts';
import type { MarkupElement, MarkupNode } from './markup-tree.ts';

/** Writes an element as well-formed XML; characters that XML forbids are left out. */
export function writeMarkup({ name, attributes, children }: MarkupElement): string {
  const written = [...attributes].map(
    ([attribute, value]) => ` ${attribute}="${escapeAttribute(withoutForbidden(value))}"`,
  );
  return `<${name}${written.join('')}>${children.map(writeNode).join('')}</${name}>`;
}

/** What is in an element as HTML: its elements are markup, its text is escaped. */
export function writeHtml({ children }: MarkupElement): string {
  return children
    .map((child) => (typeof child === 'string' ? htmlOfText(child) : writeMarkup(child)))
    .join('');
}

function writeNode(node: MarkupNode): string {
  return typeof node === 'string' ? inParts(withoutForbidden(node), escapeText) : writeMarkup(node);
}
