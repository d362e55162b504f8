import type { EditPorts } from '#items';
import type { Collection, CollectionSettings, StoredItem } from '#core';
import type { Dice } from './dice.ts';

/** What the endpoints of a simulation keep in step. */
export interface Kind extends Pick<Collection, 'protocol' | 'format'> {
  /** What a feed of it is served as. */
  readonly mediaType: string;
  /** What its items are called: few, so that the endpoints meet at each of them. */
  readonly ids: readonly string[];
  /** The settings of one endpoint's collection. */
  settings(dice: Dice): Partial<CollectionSettings>;
  /** One random local edit of this item, by the user of the endpoint `label`. */
  edit(ports: EditPorts, collection: Collection, id: string, label: string, dice: Dice): Promise<unknown>;
  /** An item as all endpoints must have it. */
  essence(item: StoredItem): unknown;
}
