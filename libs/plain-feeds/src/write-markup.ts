import { escapeAttribute, escapeText } from '#xml';
import type { MarkupElement, MarkupNode } from './markup-tree.ts';

const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Writes an element as well-formed XML; characters that XML forbids are left out. */
export function writeMarkup({ name, attributes, children }: MarkupElement): string {
  const written = [...attributes].map(
    ([attribute, value]) => ` ${attribute}="${escapeAttribute(value.replace(forbidden, ''))}"`,
  );
  return `<${name}${written.join('')}>${children.map(writeNode).join('')}</${name}>`;
}

function writeNode(node: MarkupNode): string {
  return typeof node === 'string' ? escapeText(node.replace(forbidden, '')) : writeMarkup(node);
}
