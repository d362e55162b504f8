import { isStoredEdit } from '#items';
import { ItemNotFoundError, ItemStateError, RevisionMismatchError } from '#protocol';
import type { Collection, StoredItem } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import type { KeyedRequest } from '../requests/idempotency-key.ts';
import type { JsonObject } from '../requests/merge-patch.ts';
import { edit } from './edit.ts';
import { patchedItem } from './item-body.ts';

/** A merge patch of an item, which an undeletion makes to its last content. */
export interface ItemPatch {
  readonly action: 'update' | 'undelete';
  readonly id: string;
  readonly patch: JsonObject;
}

/** How often a patch without a stated revision is made again after others have changed the item. */
const maximumAttempts = 20;

/**
 * Makes a merge patch to an item (RFC 7396), so that no edit that comes in between is lost.
 * @param expected the revision that the patch was made for; undefined patches whatever the item has become
 * @param keyed under what key, as in `edit`
 * @returns the item as stored, also if the patch changes nothing
 * @throws as `edit` does
 */
export async function patchItem(
  ports: GatewayPorts,
  collection: Collection,
  { action, id, patch }: ItemPatch,
  expected?: number,
  keyed?: KeyedRequest,
): Promise<StoredItem> {
  for (let attempt = 0; attempt < maximumAttempts; attempt += 1) {
    const stored = (await ports.store.items.load(collection.name, [id])).get(id);
    if (stored === undefined) throw new ItemNotFoundError(collection.name, id);
    if (isStoredEdit(stored, keyed, ports.clock.now())) return stored;
    if (expected !== undefined && stored.revision !== expected)
      throw new RevisionMismatchError(expected, stored.revision);
    const body = patchedItem(collection, stored, patch);
    if (body === undefined && action === 'update') return stored;
    try {
      return await edit(ports, collection, { action, id, body }, stored.revision, keyed);
    } catch (error) {
      if (!(error instanceof RevisionMismatchError) || expected !== undefined) throw error;
    }
  }
  throw new ItemStateError(
    `The item was changed by others ${maximumAttempts} times while this patch was made. Try again.`,
  );
}
