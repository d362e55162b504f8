import { expect } from '@jest/globals';
import { arrange, placeItems } from '#sse';
import type { Branch } from '#sse';
import { placed } from './placed-mesh.ts';
import type { PlacedMesh, Story } from './placed-mesh.ts';

type Collection = PlacedMesh['collections'][number];

/**
 * Lets everyone hear from everyone and expects all to have the same. The order at a plain endpoint is its
 * own: no document shows it what was put at the same place.
 */
export function expectAgreement(mesh: PlacedMesh, { plain }: Story): void {
  expect(mesh.meet()).toBeLessThan(20);
  const [first] = mesh.collections;
  for (const [at, collection] of mesh.collections.entries()) {
    expect(placeItems(placed(collection)).size).toBe(0);
    expect(everyId(collection)).toHaveLength(collection.size);
    if (first === undefined) continue;
    expect(versions(collection)).toEqual(versions(first));
    if (plain[at] !== true) expect(places(collection)).toEqual(places(first));
  }
}

/** Everything about the items but their keys. */
function versions(collection: Collection): unknown {
  const items = [...collection.values()].map(
    ({ sync: { id, version, deleted, conflict, history }, data, conflicts, position: { parent } }) => ({
      id,
      version,
      deleted,
      conflict,
      history,
      data,
      parent,
      conflicts: conflicts.map(({ version: lost, when, by }) => ({ lost, when, by })),
    }),
  );
  return items.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The tree with the ids in order. */
function places(collection: Collection): unknown {
  const ids = (branches: readonly Branch[]): unknown =>
    branches.map(({ item, children }) => [item.id, ids(children)]);
  return ids(arrange(placed(collection)));
}

function everyId(collection: Collection): string[] {
  const ids = (branches: readonly Branch[]): string[] =>
    branches.flatMap(({ item, children }) => [item.id, ...ids(children)]);
  return ids(arrange(placed(collection)));
}
