import type { Child, Scope } from './payload.ts';
import { declaredBindings, declareOn, rawAttributes } from './start-tag.ts';
import { readTree } from './tree.ts';

/**
 * Returns the elements in a child of an item or a feed, each as XML with the declarations that it needs. The
 * child has been checked when it was cut out.
 */
export function childElements({ xml: written }: Child, scope: Pick<Scope, 'namespaces'>): readonly Child[] {
  const xml = declareOn(written, { namespaces: scope.namespaces });
  const namespaces = declaredBindings(rawAttributes(xml));
  return readTree(xml).children.map(({ namespace, name, start, end }) => ({
    namespace,
    name,
    xml: declareOn(xml.slice(start, end), { namespaces }),
  }));
}
