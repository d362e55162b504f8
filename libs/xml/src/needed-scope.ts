import { defaultNamespaceOf, dependsOnDefaultNamespace } from './default-namespace.ts';
import type { Payload, Scope } from './payload.ts';
import { mayUsePrefix, prefixesIn } from './prefixes.ts';

type Namespaces = Scope['namespaces'];

/**
 * Of some bindings those of a prefix that a slice may use (`prefixesIn`); never that of the default
 * namespace.
 */
export function usedBindings(slice: string, namespaces: Namespaces): Namespaces {
  return bindingsUsedIn([slice], namespaces);
}

/**
 * A scope without the bindings that nothing in these slices can use, each of which is an element or a start
 * tag.
 */
export function usedScope(slices: readonly string[], scope: Scope): Scope {
  return scopeWith(scope, slices, new Set(bindingsUsedIn(slices, scope.namespaces)));
}

/**
 * A payload's scope without the bindings that neither an attribute of its element nor one of its children can
 * need.
 */
export function neededScope({
  scope,
  attributes = [],
  children,
}: Pick<Payload, 'scope' | 'attributes' | 'children'>): Scope {
  const slices = children.map(({ xml }) => xml);
  const ofAttributes = new Set(attributes.map(({ namespace }) => namespace));
  const used = [
    ...bindingsUsedIn(slices, scope.namespaces),
    ...scope.namespaces.filter(([, namespace]) => ofAttributes.has(namespace)),
  ];
  return scopeWith(scope, slices, new Set(used));
}

/** How long a scope is where it is declared, without the names of attributes, in UTF-16 code units. */
export function scopeLength({ namespaces, base = '', language = '' }: Scope): number {
  return namespaces.reduce(
    (total, [prefix, namespace]) => total + prefix.length + namespace.length,
    base.length + language.length,
  );
}

/** How many bindings are looked for one by one; among more of them each prefix in the text is. */
const fewBindings = 4;

function bindingsUsedIn(slices: readonly string[], namespaces: Namespaces): Namespaces {
  if (namespaces.length <= fewBindings)
    return namespaces.filter(
      ([prefix]) => prefix !== '' && slices.some((slice) => mayUsePrefix(slice, prefix)),
    );
  const used = prefixesIn(slices);
  return namespaces.filter(([prefix]) => used.has(prefix));
}

/**
 * The scope with these of its bindings, and with that of the default namespace if a slice may depend on
 * it.
 */
function scopeWith(scope: Scope, slices: readonly string[], used: ReadonlySet<Namespaces[number]>): Scope {
  const isDefaultUsed = defaultNamespaceOf(scope) !== '' && slices.some(dependsOnDefaultNamespace);
  return {
    ...scope,
    namespaces: scope.namespaces.filter((binding) => (binding[0] === '' ? isDefaultUsed : used.has(binding))),
  };
}
