import { inSlices, sharedContent } from '#core';
import type { ItemId, PlacedItem, Collection } from '#core';
import { placingSteps } from '#sse';
import type { EditPorts } from './edit-ports.ts';
import type { AssignedPlace } from '#protocol';
import { sharingProtocolOf } from '#protocols';
import { itemWrite } from './stored-item.ts';
import { writeItems } from './write-items.ts';

/** What becomes of an item, if it is still at this revision. */
interface RevisedPlace extends AssignedPlace {
  readonly revision: number;
}

/**
 * Places the items of an ordered collection: who became a parent of itself goes to the root,
 * with `conflict` (SSE 4.4.2), and who has no key yet is given one. Neither is a new version: every endpoint
 * comes to the same. Reads all positions, O(n); a second time changes nothing.
 * @returns how many items were changed
 */
export async function arrangeCollection(ports: EditPorts, collection: Collection): Promise<number> {
  const { store, now } = ports;
  const protocol = sharingProtocolOf(collection);
  let places: ReadonlyMap<ItemId, RevisedPlace> = new Map();
  const choose = async (): Promise<ItemId[]> => {
    places = await placesOf(ports, collection);
    return [...places.keys()];
  };
  const arranged = await writeItems(store.items, {
    collection: collection.key,
    ids: await choose(),
    chooseAgain: choose,
    decide: (ids, stored) => {
      const context = { collection, now: now() };
      const writes = [...stored.values()].flatMap((item) => {
        const place = places.get(item.id);
        if (place?.revision !== item.revision) return [];
        const content = protocol.placeItem?.(sharedContent(item.content), place);
        const { subscription } = item;
        return content === undefined
          ? []
          : [{ ...itemWrite(context, item, content, { subscription }), isMoved: true as const }];
      });
      const placed = new Set(writes.map(({ item }) => item.id));
      return { writes, outdated: ids.filter((id) => !placed.has(id)) };
    },
  });
  return arranged.length;
}

async function placesOf({ store }: EditPorts, collection: Collection): Promise<Map<ItemId, RevisedPlace>> {
  const placed = new Map<ItemId, PlacedItem>();
  for await (const item of store.items.positions(collection.key)) placed.set(item.id, item);
  const assigned = await inSlices(placingSteps([...placed.values()]));
  return new Map(
    Array.from(
      assigned,
      ([id, place]) => [id, { ...place, revision: placed.get(id)?.revision ?? 0 }] as const,
    ),
  );
}
