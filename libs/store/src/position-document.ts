import type { StoredItem } from '#core';

type Position = NonNullable<StoredItem['position']>;

/**
 * A position as MongoDB keeps it: an item below the root has the empty text as its parent, so that one index
 * serves all parents.
 */
export type PositionDocument = Position & Required<Pick<Position, 'parent'>>;

export function toPositionDocument({ parent = '', key, after, before }: Position): PositionDocument {
  return {
    parent,
    ...(key !== undefined && { key }),
    ...(after !== undefined && { after }),
    ...(before !== undefined && { before }),
  };
}

export function fromPositionDocument({ parent, ...rest }: PositionDocument): Position {
  return parent === '' ? rest : { parent, ...rest };
}
