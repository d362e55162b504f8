import { escapeAttribute, escapeText, htmlOfText, isVoidElement } from '#xml';
import { inParts, withoutForbidden } from './forbidden-characters.ts';
import type { MarkupElement, MarkupNode } from './markup-tree.ts';

/** Writes an element as well-formed XML; characters that XML forbids are left out. */
export function writeMarkup(element: MarkupElement): string {
  return `${startTag(element)}${element.children.map(writeNode).join('')}</${element.name}>`;
}

/** Writes the content of an element as HTML: its elements are markup, its text is escaped. */
export function writeHtml({ children }: MarkupElement): string {
  return children
    .map((child) => {
      if (typeof child === 'string') return htmlOfText(child);
      return startTag(child) + (isVoidElement(child.name) ? '' : `${writeHtml(child)}</${child.name}>`);
    })
    .join('');
}

function startTag({ name, attributes }: MarkupElement): string {
  const written = [...attributes].map(
    ([attribute, value]) => ` ${attribute}="${escapeAttribute(withoutForbidden(value))}"`,
  );
  return `<${name}${written.join('')}>`;
}

function writeNode(node: MarkupNode): string {
  return typeof node === 'string' ? inParts(withoutForbidden(node), escapeText) : writeMarkup(node);
}
