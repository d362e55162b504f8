import { nameOf, permits } from '#core';
import type { Collection, CollectionKey, ConflictPlace, StoredItem } from '#core';
import type { Principal } from '../access/principal.ts';
import { administersAll } from '../access/suspended-tenants.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { nextPlace } from '../collections/readable-collections.ts';

type ConflictPorts = Pick<GatewayPorts, 'store' | 'suspended'>;

/** An item with its collection. */
export interface ConflictingItem {
  readonly collection: Collection;
  readonly item: StoredItem;
}

/**
 * Lists the items in conflict of the collections that a caller may read, by collection and id, at most
 * `limit` after a place. Of the other collections only those are read that are between them.
 */
export async function listConflicts(
  ports: ConflictPorts,
  caller: Pick<Principal, 'grants'>,
  { after, limit }: { readonly after?: string; readonly limit: number },
): Promise<ConflictingItem[]> {
  const { items } = ports.store;
  const scopes = caller.grants.map((grant) => grant.collections);
  const found: ConflictingItem[] = [];
  const readable = new Map<CollectionKey, Collection | undefined>();
  for (let place = startOf(scopes, after); place !== undefined && found.length < limit;) {
    const wanted = limit - found.length;
    const loaded = await items.listConflicts({ after: place, limit: wanted });
    for (const item of loaded) {
      const { collection: key } = item;
      if (!readable.has(key)) readable.set(key, await readableCollection(ports, caller, key));
      const collection = readable.get(key);
      if (collection) found.push({ collection, item });
    }
    const last = loaded.at(-1);
    if (last === undefined || loaded.length < wanted) return found;
    place = readable.get(last.collection) === undefined ? startBehind(scopes, last.collection) : last;
  }
  return found;
}

/** A collection that a caller may read and whose tenant is not suspended; undefined if it is not one. */
async function readableCollection(
  { store, suspended }: ConflictPorts,
  caller: Pick<Principal, 'grants'>,
  key: CollectionKey,
): Promise<Collection | undefined> {
  if (!permits(caller.grants, 'read', nameOf(key))) return undefined;
  if (!administersAll(caller) && (await suspended.includes(nameOf(key)))) return undefined;
  return store.collections.find(key);
}

/** The place of an item in the list, as a text. */
export function conflictPlace({ item: { collection, id } }: ConflictingItem): string {
  return `${collection}/${id}`;
}

function startOf(scopes: readonly string[], after: string | undefined): ConflictPlace | undefined {
  if (after === undefined) return startBehind(scopes, '');
  const end = after.indexOf('/');
  return { collection: after.slice(0, end), id: after.slice(end + 1) };
}

/** The end of a collection behind which the next one of a scope may be. */
function startBehind(scopes: readonly string[], collection: string): ConflictPlace | undefined {
  const place = nextPlace(scopes, collection);
  return place === undefined ? undefined : { collection: place };
}
