import type { Collection } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';

/** Throws `ProblemError` 404 if there is no such collection. */
export async function findCollection(
  { store }: Pick<GatewayPorts, 'store'>,
  name: string,
): Promise<Collection> {
  const collection = await store.collections.find(name);
  if (collection === undefined)
    throw new ProblemError(
      404,
      'collection-not-found',
      `There is no collection "${name}". PUT /v1/collections/${name} creates it.`,
    );
  return collection;
}
