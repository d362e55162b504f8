import { escapeAttribute, escapeText, htmlOfText } from '../escape.ts';
import type { ReaderText } from './reader-text.ts';

/** An element with a text; empty for a text that is absent. */
export function textElement(name: string, text: string | undefined): string {
  return text === undefined ? '' : `<${name}>${escapeText(text)}</${name}>`;
}

/** Attributes, each after a space, without those that are absent. */
export function writeAttributes(values: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(values)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${escapeAttribute(value)}"`))
    .join('');
}

/** A text as HTML, with its line breaks. */
export function asHtml({ type, value }: ReaderText): string {
  return type === 'html' ? value : htmlOfText(value).replace(/\r?\n/g, '<br>\n');
}
