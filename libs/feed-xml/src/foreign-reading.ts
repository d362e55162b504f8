import type { ForeignMarkup } from '#feedsync';
import { declareOn, mayUse } from './start-tag.ts';
import { attributesOf, isSynchronisation } from './tree.ts';
import type { XmlElement } from './tree.ts';

/**
 * What an element of synchronisation data holds that its specification does not define there, to be kept (FeedSync 2.1.7); undefined
 * where there is none. Its slices can be read in the scope of the item that holds the element.
 * @param defined the names of the attributes that are defined, `{namespace}name` where they have a namespace.
 */
export function readForeign(element: XmlElement, defined: ReadonlySet<string>, isDefined: (child: XmlElement) => boolean, text: string): ForeignMarkup | undefined {
  const attributes = attributesOf(element).filter(({ namespace, name }) => !defined.has(namespace === '' ? name : `{${namespace}}${name}`));
  const unknown = element.children.filter((child) => !isDefined(child));
  if (attributes.length === 0 && unknown.length === 0) return undefined;
  // The slices are read in the item's scope, so what is declared between the item and them goes along.
  const declared = new Map<string, string>();
  for (let outer: XmlElement | undefined = element; outer !== undefined && isSynchronisation(outer.namespace); outer = outer.parent) {
    for (const [prefix, namespace] of Object.entries(outer.tag.ns)) if (!declared.has(prefix)) declared.set(prefix, namespace);
  }
  const children = unknown.map(({ start, end }) => {
    const slice = text.slice(start, end);
    return declareOn(slice, { namespaces: [...declared].filter(([prefix]) => mayUse(slice, prefix)) });
  });
  return { attributes, children };
}
