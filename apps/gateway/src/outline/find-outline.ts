import { isHierarchical } from '#items';
import type { Collection } from '#ports';
import { findCollection } from '../collections/find-collection.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';

/** The collection of outlines with this name. Throws `ProblemError` 404 where there is no such collection, 409 where its items are no outlines. */
export async function findOutline(ports: Pick<GatewayPorts, 'store'>, name: string): Promise<Collection> {
  const collection = await findCollection(ports, name);
  if (!isHierarchical(collection)) throw new ProblemError(409, 'not-an-outline', `The collection "${name}" has the format ${collection.format}; only one of the format opml is an outline.`);
  return collection;
}
