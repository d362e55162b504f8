import { checkAttributeCount } from './attribute-count.ts';
import { InputText } from './input-text.ts';
import { FeedError } from './feed-error.ts';
import { positionAt } from './fragment.ts';
import { ItemLength } from './item-length.ts';
import { xmlNamespace } from './namespace.ts';
import { usedScope } from './needed-scope.ts';
import type { Format, Payload } from './payload.ts';
import { finish } from './steps.ts';
import type { Steps } from './steps.ts';
import { StrictParser } from './strict-parser.ts';
import { attributesOf, isSyncOf, itemFormat, scopeOf, treeSteps, versionLimits } from './tree.ts';
import type { XmlElement } from './tree.ts';

/**
 * Reads an item as a person would post it: a document with an Atom `entry` (RFC 4287, 4.1.2), an RSS `item`
 * or an OPML `outline` for its root. Throws `FeedError` if it is not
 * well-formed, passes a limit, or is no such item, and of rule `outline-nested` for an outline with others in
 * it, which are items of their own.
 * @param synchronisation the namespaces whose `sync` elements are left out; none if absent
 */
export function readPayload(xml: string, synchronisation: readonly string[] = []): Payload {
  return finish(readPayloadSteps(xml, synchronisation));
}

/** Does what `readPayload` does, in steps. */
export function* readPayloadSteps(xml: string, synchronisation: readonly string[] = []): Steps<Payload> {
  const text = readText(xml);
  const root = yield* treeSteps(text, {}, versionLimits);
  const format = itemFormat(root);
  if (format === undefined) {
    throw new FeedError({
      rule: 'item-root',
      section: 'RFC 4287 4.1.2, RSS 2.0, OPML 1.0',
      message: 'The root of an item is an Atom entry, an RSS item or an OPML outline.',
      line: 1,
      column: 1,
    });
  }
  const nested = root.children.find((child) => isOutlineIn(root, format, child));
  if (nested !== undefined) {
    const message =
      'An outline that is sent as one item holds no other outlines; send each by itself, or all of them ' +
      'as an OPML document to .../outline.';
    throw new FeedError({
      rule: 'outline-nested',
      section: 'SSE 2.3',
      message,
      ...positionAt(text, nested.start),
    });
  }
  return payloadOf(text, root, format, isSyncOf(synchronisation), new ItemLength());
}

/** A whole document's text with its line ends normalised. Throws `FeedError` for lone surrogates. */
export function readText(xml: string): string {
  const input = new InputText(new StrictParser({}));
  const text = input.take(xml) + input.end();
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/**
 * The payload of an item's element in a text, without the children that hold synchronisation data and, in an
 * outline, the outlines in it. Of the bindings in scope it has those that the element may use.
 * @param length counts it; throws `FeedError` of rule `limit-item-length`, as this does of rule
 *   `limit-attributes`
 */
export function payloadOf(
  text: string,
  element: XmlElement,
  format: Format,
  isSynchronisationData: (child: XmlElement) => boolean,
  length: ItemLength,
): Payload {
  const own = element.children.filter((child) => !isOutlineIn(element, format, child));
  const children = own
    .filter((child) => !isSynchronisationData(child))
    .map(({ namespace, name, start, end }) => ({ namespace, name, xml: text.slice(start, end) }));
  const attributes = attributesOf(element).filter(
    ({ namespace, name }) => namespace !== xmlNamespace || (name !== 'base' && name !== 'lang'),
  );
  const startTag = text.slice(element.start, element.children[0]?.start ?? element.end);
  const scope = usedScope(
    [startTag, ...own.map(({ start, end }) => text.slice(start, end))],
    scopeOf(element),
  );
  checkAttributeCount(attributes.length + scope.namespaces.length);
  const payload = { format, children, scope, ...(attributes.length > 0 && { attributes }) };
  length.addPayload(payload);
  return payload;
}

/** Whether a child is an outline in an outline: of another namespace it is foreign markup. */
function isOutlineIn(element: XmlElement, format: Format, child: XmlElement): boolean {
  return format === 'opml' && child.name === 'outline' && child.namespace === element.namespace;
}
