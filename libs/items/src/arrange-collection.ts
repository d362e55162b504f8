import { sharedContent } from '#core';
import type { PlacedItem, Collection } from '#core';
import { placeItems } from '#sse';
import type { EditPorts } from './edit-ports.ts';
import type { AssignedPlace } from './protocol.ts';
import { sharingProtocolOf } from './protocols.ts';
import { itemWrite } from './stored-item.ts';

/** How often what lost a race is arranged again. */
const maximumAttempts = 20;

/** How many items are written in one go. */
const batchLength = 200;

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
  let arranged = 0;
  for (let attempt = 0; attempt < maximumAttempts; attempt += 1) {
    const places = await placesOf(ports, collection);
    const written = await write(ports, collection, places);
    arranged += written;
    if (written === places.size) return arranged;
  }
  throw new Error(
    `The items of "${collection.name}" were changed by others ${maximumAttempts} times while they were ` +
      'arranged.',
  );
}

async function placesOf({ store }: EditPorts, collection: Collection): Promise<Map<string, RevisedPlace>> {
  const placed = new Map<string, PlacedItem>();
  for await (const item of store.items.positions(collection.name)) placed.set(item.id, item);
  const assigned = placeItems([...placed.values()]);
  return new Map(
    Array.from(
      assigned,
      ([id, place]) => [id, { ...place, revision: placed.get(id)?.revision ?? 0 }] as const,
    ),
  );
}

/** Writes what is still at the revision that was read; the rest is for the next attempt. */
async function write(
  { store, now, publicUrl }: EditPorts,
  collection: Collection,
  places: ReadonlyMap<string, RevisedPlace>,
): Promise<number> {
  const protocol = sharingProtocolOf(collection);
  const ids = [...places.keys()];
  let written = 0;
  for (let start = 0; start < ids.length; start += batchLength) {
    const stored = await store.items.load(collection.name, ids.slice(start, start + batchLength));
    const context = { collection, publicUrl, now: now() };
    const writes = Array.from(stored.values()).flatMap((item) => {
      const place = places.get(item.id);
      const content =
        place?.revision === item.revision
          ? protocol.placeItem?.(sharedContent(item.content), place)
          : undefined;
      return content === undefined
        ? []
        : [
            {
              ...itemWrite(context, item, content, { subscription: item.subscription }),
              isMoved: true as const,
            },
          ];
    });
    written += writes.length - (await store.items.compareAndSet(writes)).length;
  }
  return written;
}
