import { escapeAttribute, escapeText, htmlOfText } from '#xml';
import { inParts, withoutForbidden } from './forbidden-characters.ts';
import type { MarkupElement, MarkupNode } from './markup-tree.ts';

/** Elements of HTML that have no end tag (HTML, 13.1.2). */
const voidElements: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);

/** Whether an element of HTML has no end tag. */
export function isVoidElement(name: string): boolean {
  return voidElements.has(name.toLowerCase());
}

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
