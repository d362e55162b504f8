import { declareOn, defaultNamespaceOf } from '#xml';
import type { Child, FeedFormat, Payload } from '#xml';
import { missingElements } from './missing-elements.ts';
import { isEmptyEnclosure } from './empty-enclosure.ts';
import { inKnownNamespace } from './known-namespace.ts';
import { withEscapedMarkup } from './escaped-markup.ts';
import { withTitleReferences } from './title-references.ts';

/**
 * Returns an item of a plain feed as its format defines it:
 *
 * - namespaces that are written wrong (`https:`, no slash at the end) are the ones that are meant;
 * - markup in a text is escaped;
 * - references in a title are the characters that they stand for;
 * - an enclosure without an address is left out;
 * - what only modules contain, such as Dublin Core and Media RSS, is in elements of the format too.
 */
export function mendItem(payload: Payload): Payload {
  const { format, scope } = payload;
  if (format === 'opml') return payload;
  const children = payload.children
    .map((child) => mendChild(child, format, payload))
    .filter((child) => !isEmptyEnclosure(child));
  const all = [...children, ...missingElements(children, format, scope)];
  return { ...payload, children: defaultNamespaceOf(scope) === '' ? all : all.map(withOwnNamespace) };
}

/** An element of RSS in a feed whose default namespace is another one. */
function withOwnNamespace(child: Child): Child {
  return child.namespace === '' ? { ...child, xml: declareOn(child.xml, { namespaces: [['', '']] }) } : child;
}

function mendChild(child: Child, format: FeedFormat, payload: Payload): Child {
  return withTitleReferences(
    withEscapedMarkup(inKnownNamespace(child, payload), format, payload.scope),
    format,
  );
}
