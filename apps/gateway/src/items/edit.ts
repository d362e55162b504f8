import { itemResolution } from '#contracts';
import { isFeedTree } from '#protocols';
import { editItem } from '#items';
import type { ItemEdit } from '#items';
import { inSlices, itemId, Slices } from '#core';
import type { Collection, ItemId, Steps, StoredItem } from '#core';
import { currentActor } from '../audit/change-in-progress.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { checkInput } from '../requests/check-input.ts';
import type { KeyedRequest } from '../requests/idempotency-key.ts';
import type { JsonObject } from '../requests/merge-patch.ts';
import { refuseMirror } from '../tree/find-tree.ts';
import { newTreeItem } from '../tree/tree-item-body.ts';
import { deleteItem } from './delete-item.ts';
import { patchedItem, readFields, readItemChange, readNewItem } from './item-body.ts';

/** An edit in the words of the HTTP interface and of the command `edit`. */
export type EditRequest =
  /** `body`: the new item. */
  | { readonly action: 'create'; readonly body: unknown }
  /** `body`: the new content, the new place, or both. */
  | { readonly action: 'update'; readonly id: ItemId; readonly body: unknown }
  /** `body`: what becomes of the data and of the outlines in it, or undefined. */
  | { readonly action: 'delete'; readonly id: ItemId; readonly body: unknown }
  /** `body`: new content, or undefined to keep what there is. */
  | { readonly action: 'undelete'; readonly id: ItemId; readonly body: unknown }
  /** `body`: the resolution. */
  | { readonly action: 'resolve'; readonly id: ItemId; readonly body: unknown };

/** A merge patch of an item (RFC 7396), which an undeletion makes to its last content. */
export interface ItemPatch {
  readonly action: 'update' | 'undelete';
  readonly id: ItemId;
  readonly patch: JsonObject;
}

/**
 * Performs an edit and asks for its publication, without waiting for that.
 * @param expected the revision that the edit was made for, if there is one
 * @param keyed under what key, if there is one: sent again, it is not made again
 * @param loaded what is stored of the item, if that was read since the request came
 * @returns the item as stored, also if a patch changes nothing
 * @throws ProblemError 400, 409 for a mirror, FeedError, and what `editItem` throws
 */
export async function edit(
  ports: GatewayPorts,
  collection: Collection,
  request: EditRequest | ItemPatch,
  expected?: number,
  keyed?: KeyedRequest,
  loaded?: ReadonlyMap<ItemId, StoredItem>,
): Promise<StoredItem> {
  if (request.action === 'delete')
    return (await deleteItem(ports, collection, request, expected, keyed)).item;
  const { store, clock, publicUrl, jobs } = ports;
  if (isFeedTree(collection)) await refuseMirror(ports, collection.key);
  const [id, change] = await inSlices(readEdit(withIdentifier(ports, keyed), collection, request));
  const item = await editItem(
    { store, publicUrl, actor: currentActor(), now: () => clock.now() },
    collection,
    id,
    change,
    expected,
    keyed,
    loaded,
  );
  jobs.written(collection);
  return item;
}

/** The ports with which a new item is given the identifier that its key makes, so that it is found again. */
function withIdentifier(ports: GatewayPorts, keyed: KeyedRequest | undefined): GatewayPorts {
  return keyed === undefined
    ? ports
    : { ...ports, random: { ...ports.random, identifier: () => keyed.identifier } };
}

function* readEdit(
  ports: GatewayPorts,
  collection: Collection,
  request: Exclude<EditRequest, { action: 'delete' }> | ItemPatch,
): Steps<[id: ItemId, edit: Parameters<typeof editItem>[3]]> {
  if ('patch' in request) return [request.id, patchOf(collection, request)];
  const { action, body } = request;
  if (action === 'create') {
    const created = yield* readNewItem(collection, body);
    yield;
    const named = isFeedTree(collection)
      ? yield* newTreeItem(ports, collection, created)
      : { id: created.id ?? itemId(`${collection.endpoint}.${ports.random.identifier()}`) };
    return [named.id, { action, ...created, ...named }];
  }
  const { id } = request;
  if (action === 'undelete' && body === undefined) return [id, { action }];
  if (action === 'update' || action === 'undelete') {
    const change = yield* readItemChange(collection, id, body);
    return [id, async (stored) => ({ action, ...(await inSlices(change(stored))) })];
  }
  const { keep, data, conflicts } = checkInput(itemResolution, 'body', body);
  const payload = data && (yield* readFields(collection, data));
  return [id, { action, keep, ...(payload && { payload }), ...(conflicts && { conflicts }) }];
}

function patchOf(
  collection: Collection,
  { action, id, patch }: ItemPatch,
): (stored: StoredItem) => Promise<ItemEdit | undefined> {
  return async (stored) => {
    const slices = new Slices();
    const body = patchedItem(collection, stored, patch);
    await slices.rest();
    if (body === undefined && action === 'update') return undefined;
    if (body === undefined) return { action };
    const change = await inSlices(readItemChange(collection, id, body));
    return { action, ...(await inSlices(change(stored))) };
  };
}
