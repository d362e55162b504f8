import { declareOn, defaultNamespaceOf } from '#xml';
import type { Child, Payload } from '#xml';
import { inheritedElements, withFeedBase } from './feed-context.ts';
import type { FeedContext } from './feed-context.ts';
import { inKnownNamespace } from './known-namespace.ts';
import { mendLink } from './mend-link.ts';
import { mendText } from './mend-text.ts';
import { missingElements } from './missing-elements.ts';
import { mendCategories } from './mend-categories.ts';

/**
 * Returns an item of a plain feed as its format defines it:
 *
 * - namespaces that are written wrong (`https:`, no slash at the end) are the ones that are meant;
 * - markup in a text is escaped; a title is plain text without tags and references;
 * - links, types and relations are written as the format has them; those without an address are left out;
 * - each category is there once;
 * - what only modules contain, such as Dublin Core and Media RSS, is in elements of the format too;
 * - it has the authors and the base that it inherits from its feed.
 */
export function mendItem(payload: Payload, feed: FeedContext): Payload {
  if (payload.format === 'opml') return payload;
  const own = payload.children
    .map((child) => mendText(inKnownNamespace(child, payload), payload))
    .flatMap((child) => mendLink(child) ?? []);
  const children = mendCategories([...own, ...missingElements(own, payload)], payload.format);
  const all = [...children, ...inheritedElements(children, payload, feed)];
  const mended = withFeedBase({ ...payload, children: all }, feed);
  return defaultNamespaceOf(payload.scope) === ''
    ? mended
    : { ...mended, children: all.map(withOwnNamespace) };
}

/** An element of RSS in a feed whose default namespace is another one. */
function withOwnNamespace(child: Child): Child {
  return child.namespace === '' ? { ...child, xml: declareOn(child.xml, { namespaces: [['', '']] }) } : child;
}
