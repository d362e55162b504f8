import type { Item } from '../engine/item.ts';
import { itemName, placeScope, writeAttributes } from '#xml';
import { positionNamespace, sseNamespaces } from './namespace.ts';
import { isSseNamespace } from './sync-tree.ts';
import type { Payload, Scope, Bindings } from '#xml';
import { writeSync } from './sync-writing.ts';

/**
 * The bindings that `writeFeedStart` declares for the items of a feed; of the two forms of the namespace of
 * SSE either may stand there.
 */
const feedBindings: Bindings = new Map([
  ['sx', sseNamespaces.https],
  ['fm', positionNamespace],
]);

/**
 * The item as it stands inside a feed of SSE that `writeFeedStart` began, in the format of its payload: the
 * children as they were, and `sx:sync` (SSE 2.3), which in an RSS item is the last child and in an OPML
 * outline the first one, so that who reads a stream knows the item before the outlines in it. These are not
 * written; an outline always has an end tag, so that they can be put before it. Throws `FeedError` (rule
 * `xml-character`) for text that XML can't hold.
 */
export function writeSseItem(item: Item<Payload>): string {
  return writeVersion(item, feedBindings);
}

function writeVersion(item: Item<Payload>, outer: Bindings): string {
  const { format, children, attributes = [] } = item.data;
  const name = itemName(format);
  const hasItems = item.conflicts.some((conflict) => conflict.item !== undefined);
  // What an outline says is in its attributes, so its base has to be in force there.
  const { declarations, bindings, writeChild } = placeScope(
    { format, scope: ownScope(item.data.scope) },
    outer,
    ['sx', 'fm'],
    hasItems && format !== 'opml',
  );
  let content = '';
  for (const child of children) content += writeChild(child.xml);
  const sync = writeSync(item, { bindings, writeChild, writeItem: (inner) => writeVersion(inner, bindings) });
  return (
    `<${name}${declarations}${writeAttributes(attributes, bindings)}>` +
    `${format === 'opml' ? sync + content : content + sync}</${name}>`
  );
}

/**
 * The scope without the binding of `sx` to the namespace of SSE: the feed has it, in the form that it writes.
 */
function ownScope(scope: Scope): Scope {
  return {
    ...scope,
    namespaces: scope.namespaces.filter(
      ([prefix, namespace]) => prefix !== 'sx' || !isSseNamespace(namespace),
    ),
  };
}
