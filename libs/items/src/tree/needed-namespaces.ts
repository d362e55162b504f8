import type { Payload } from '#feed-xml';

/**
 * The payload without the namespace bindings that nothing in it can use, so that what the feed around it declares changes no item. Says of
 * a prefix rather too often that it is used.
 */
export function withNeededNamespaces(payload: Payload): Payload {
  const { scope, children, attributes = [] } = payload;
  const namespaces = scope.namespaces.filter(
    ([prefix, namespace]) => prefix === '' || attributes.some((attribute) => attribute.namespace === namespace) || children.some(({ xml }) => xml.includes(prefix)),
  );
  return { ...payload, scope: { ...scope, namespaces } };
}
