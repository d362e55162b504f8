import type { Payload } from '#xml';
import type { Item } from '../engine/item.ts';

/** The replacement character, which decoders put in place of invalid bytes. */
const lost = '\uFFFD';

/**
 * Whether an item of a plain feed has lost characters that the item here still has: its document was damaged
 * on its way or at its source, and says nothing new until it is whole again.
 */
export function isDamagedCopy(local: Item<Payload> | undefined, incoming: Item<Payload>): boolean {
  return local !== undefined && isDamaged(incoming) && ![local, ...local.conflicts].some(isDamaged);
}

function isDamaged({ data }: Item<Payload>): boolean {
  return data.children.some(({ xml }) => xml.includes(lost));
}
