import type { ForeignMarkup } from '#feedsync';
import { defaultNamespaceOf, withDefaultNamespace } from './default-namespace.ts';
import { declareOn, mayUse } from './start-tag.ts';
import { attributesOf, scopeOf } from './tree.ts';
import type { XmlElement } from './tree.ts';

/**
 * What an element of synchronisation data holds that its specification does not define there, to be kept (FeedSync 2.1.7); undefined
 * where there is none. Its slices stand on their own: an edit or a resolution may put them beside other data, in another scope.
 * @param defined the names of the attributes that are defined, `{namespace}name` where they have a namespace.
 */
export function readForeign(element: XmlElement, defined: ReadonlySet<string>, isDefined: (child: XmlElement) => boolean, text: string): ForeignMarkup | undefined {
  const attributes = attributesOf(element).filter(({ namespace, name }) => !defined.has(namespace === '' ? name : `{${namespace}}${name}`));
  const unknown = element.children.filter((child) => !isDefined(child));
  if (attributes.length === 0 && unknown.length === 0) return undefined;
  const scope = scopeOf(element);
  const children = unknown.map(({ start, end }) => {
    const slice = text.slice(start, end);
    const needed = scope.namespaces.filter(([prefix]) => prefix !== '' && mayUse(slice, prefix));
    return declareOn(withDefaultNamespace(slice, defaultNamespaceOf(scope)), { ...scope, namespaces: needed });
  });
  return { attributes, children };
}
