import { InputText } from './input-text.ts';
import { FeedError } from './feed-error.ts';
import { xmlNamespace } from './namespace.ts';
import type { Format, Payload } from './payload.ts';
import { StrictParser } from './strict-parser.ts';
import { attributesOf, isSync, itemFormat, readTree, scopeOf } from './tree.ts';
import type { XmlElement } from './tree.ts';

/**
 * Reads an item as a person would post it: a document with an Atom `entry` (RFC 4287, 4.1.2) or an RSS `item` for its root. An
 * `sx:sync` in it is left out. Throws `FeedError` where it is not well-formed, passes a limit, or is no such item.
 */
export function readPayload(xml: string): Payload {
  const text = readText(xml);
  const root = readTree(text);
  const format = itemFormat(root);
  if (format === undefined) {
    throw new FeedError({ rule: 'item-root', section: 'RFC 4287 4.1.2, RSS 2.0', message: 'The root of an item is an Atom entry or an RSS item.', line: 1, column: 1 });
  }
  return payloadOf(text, root, format);
}

/** A whole document's text with its line ends normalised. Throws `FeedError` for lone surrogates. */
export function readText(xml: string): string {
  const input = new InputText(new StrictParser({}));
  const text = input.take(xml) + input.end();
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** The payload of an item's element in a text. */
export function payloadOf(text: string, element: XmlElement, format: Format): Payload {
  const children = element.children
    .filter((child) => !isSync(child, 'sync'))
    .map(({ namespace, name, start, end }) => ({ namespace, name, xml: text.slice(start, end) }));
  const attributes = attributesOf(element).filter(({ namespace, name }) => namespace !== xmlNamespace || (name !== 'base' && name !== 'lang'));
  return { format, children, scope: scopeOf(element), ...(attributes.length > 0 && { attributes }) };
}
