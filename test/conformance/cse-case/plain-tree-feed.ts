import { deepStrictEqual } from 'node:assert/strict';
import { inheritedIn, inPlace, withoutInherited } from '../plain/inherited.ts';
import type { Inherited } from '../plain/inherited.ts';
import { elementsIn, readPlainElement } from '../plain/plain-element.ts';
import type { PlainElement } from '../plain/plain-element.ts';

const extensions = 'http://schemas.microsoft.com/rss/2007/contentsyncextensions';

/**
 * Compares two feeds of a tree by a walk over their XML that uses nothing of what is under test: what the
 * channel says in any order, the items and what is in them in theirs; its own address as an Atom link is left
 * out. `place` is named if they differ. Throws an AssertionError if they differ, and an Error if one
 * is not well-formed or no feed.
 */
export function compareTreeFeeds(actual: string, expected: string, place: string): void {
  deepStrictEqual({ place, ...meaningOf(actual) }, { place, ...meaningOf(expected) });
}

/** What every csx:link of a feed holds, in document order. */
export function plainLinksIn(text: string): string[] {
  return linksBelow(readPlainElement(text));
}

function meaningOf(text: string) {
  const root = readPlainElement(text);
  const channel = elementsIn(root).find(({ name }) => name === 'channel');
  if (root.name !== 'rss' || channel === undefined)
    throw new Error(`A document of ${root.name} is no feed of a tree.`);
  const outer = inheritedIn(channel, inheritedIn(root));
  const isItem = (child: PlainElement | string): boolean =>
    typeof child !== 'string' && child.namespace === '' && child.name === 'item';
  const head = inPlace(
    channel.children.filter((child) => !isItem(child) && !isSelfLink(child)),
    outer,
  ).map((child) => JSON.stringify(child));
  return {
    version: root.attributes['version'],
    head: head.toSorted(),
    items: elementsIn(channel)
      .filter(isItem)
      .map((item) => plainItem(item, outer)),
  };
}

/**
 * Where the feed itself stands, which RSS has no word for: the publisher's own, whether it is said or not.
 */
function isSelfLink(child: PlainElement | string): boolean {
  return (
    typeof child !== 'string' &&
    child.namespace === 'http://www.w3.org/2005/Atom' &&
    child.name === 'link' &&
    child.attributes['rel'] === 'self'
  );
}

function plainItem(item: PlainElement, outer: Inherited) {
  return {
    attributes: withoutInherited(item.attributes),
    children: inPlace(item.children, inheritedIn(item, outer)),
  };
}

function linksBelow(element: PlainElement): string[] {
  if (element.namespace === extensions && element.name === 'link')
    return [element.children.filter((child) => typeof child === 'string').join('')];
  return elementsIn(element).flatMap(linksBelow);
}
