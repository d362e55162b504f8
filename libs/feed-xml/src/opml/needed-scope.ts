import { defaultNamespaceOf, withDefaultNamespace } from '../default-namespace.ts';
import type { Payload, Scope } from '../payload.ts';
import { mayUse } from '../start-tag.ts';

/** A payload's scope without the bindings that neither an attribute of its element nor one of its children can need. */
export function neededScope({ scope, attributes = [], children }: Pick<Payload, 'scope' | 'attributes' | 'children'>): Scope {
  const inherited = defaultNamespaceOf(scope);
  const namespaces = scope.namespaces.filter(([prefix, namespace]) => {
    if (prefix === '') return children.some(({ xml }) => withDefaultNamespace(xml, inherited) !== xml);
    return attributes.some((attribute) => attribute.namespace === namespace) || children.some(({ xml }) => mayUse(xml, prefix));
  });
  return { ...scope, namespaces };
}
