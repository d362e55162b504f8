import { notUniqueRule } from '#items';
import { nameOf } from '#core';
import type { CollectionKey, Store } from '#core';

type DeadLetters = { readonly store: Pick<Store, 'deadLetters'> };

/**
 * How many items of each subscription of a collection were refused because someone else signs as this
 * endpoint does; without those of none.
 */
export async function signedElsewhere(
  { store }: DeadLetters,
  collection: CollectionKey,
): Promise<ReadonlyMap<string, number>> {
  const rejected = await store.deadLetters.rejected(notUniqueRule, collection);
  return new Map(rejected.map(({ subscription, items }) => [subscription, items]));
}

/**
 * What the health page says of endpoint identifiers that are not unique; undefined if all are, as far as
 * it is known.
 */
export async function identityNote({ store }: DeadLetters): Promise<string | undefined> {
  const rejected = await store.deadLetters.rejected(notUniqueRule);
  if (rejected.length === 0) return undefined;
  const places = rejected
    .slice(0, 5)
    .map(({ collection, subscription, items }) => `${nameOf(collection)}/${subscription} (${items})`);
  const more = rejected.length > 5 ? `, and ${rejected.length - 5} more` : '';
  return (
    'someone else signs with our endpoint identifiers, so items were not merged: ' +
    `${places.join(', ')}${more}; see \`feedmesh dead-letters list\``
  );
}
