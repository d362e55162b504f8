import { checkAttributeCount } from './attribute-count.ts';
import { defaultNamespaceOf, withDefaultNamespace } from './default-namespace.ts';
import type { Fragment } from './fragment.ts';
import type { ItemLength } from './item-length.ts';
import type { Attribute } from './payload.ts';
import { usedBindings } from './needed-scope.ts';
import { declareOn } from './start-tag.ts';
import { attributesOf, scopeOf } from './tree.ts';
import type { XmlElement } from './tree.ts';

/** What an element holds that its specification does not define there. */
export interface ForeignMarkup {
  readonly attributes: readonly Attribute[];
  /** Each child element as XML that stands on its own. */
  readonly children: readonly string[];
}

interface ForeignContext {
  readonly fragment: Pick<Fragment, 'xml'>;
  readonly length: ItemLength;
}

/**
 * What an element of synchronisation data holds that its specification does not define there, to be kept
 * (FeedSync 2.1.7); undefined if there is none. Its slices stand on their own: an edit or a resolution may
 * put them beside other data, in another scope. Throws `FeedError` of rules `limit-item-length` and
 * `limit-attributes`.
 * @param defined the names of the attributes that are defined, `{namespace}name` if they have a namespace.
 */
export function readForeign(
  element: XmlElement,
  defined: ReadonlySet<string>,
  isDefined: (child: XmlElement) => boolean,
  { fragment, length }: ForeignContext,
): ForeignMarkup | undefined {
  const attributes = attributesOf(element).filter(
    ({ namespace, name }) => !defined.has(namespace === '' ? name : `{${namespace}}${name}`),
  );
  const unknown = element.children.filter((child) => !isDefined(child));
  if (attributes.length === 0 && unknown.length === 0) return undefined;
  const scope = scopeOf(element);
  for (const { namespace, value } of attributes) length.add(namespace.length + value.length);
  const children = unknown.map(({ start, end, tag }) => {
    const slice = fragment.xml.slice(start, end);
    const needed = { ...scope, namespaces: usedBindings(slice, scope.namespaces) };
    const defaultNamespace = defaultNamespaceOf(scope);
    checkAttributeCount(
      Object.keys({
        ...tag.attributes,
        ...Object.fromEntries(needed.namespaces.map(([prefix]) => [`xmlns:${prefix}`, ''])),
      }).length,
    );
    length.addSlice(slice, needed);
    length.add(defaultNamespace.length);
    return declareOn(withDefaultNamespace(slice, defaultNamespace), needed);
  });
  return { attributes, children };
}
