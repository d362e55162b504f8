import { nameOf } from '#core';
import type { Collection, CollectionKey } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';

/** Throws `ProblemError` 404 if there is no such collection. */
export async function findCollection(
  { store }: Pick<GatewayPorts, 'store'>,
  key: CollectionKey,
): Promise<Collection> {
  const collection = await store.collections.find(key);
  if (collection === undefined)
    throw new ProblemError(
      404,
      'collection-not-found',
      `There is no collection "${nameOf(key)}". PUT /v1/collections/${nameOf(key)} creates it.`,
    );
  return collection;
}
