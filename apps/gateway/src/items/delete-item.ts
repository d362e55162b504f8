import { itemDeletion } from '#contracts';
import { deleteBranch, editItem, isBranchAbove } from '#items';
import type { EditPorts } from '#items';
import { isHierarchical } from '#protocol';
import { isFeedTree } from '#protocols';
import { EditError } from '#core';
import type { BranchDeletion, Collection, ItemId, StoredItem } from '#core';
import { currentActor } from '../audit/change-in-progress.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { invalidInput } from '../problems/problem-error.ts';
import { checkInput } from '../requests/check-input.ts';
import type { KeyedRequest } from '../requests/idempotency-key.ts';
import { refuseMirror } from '../tree/find-tree.ts';

/** What is deleted, and `body`: what becomes of the data and of the outlines in it, or undefined. */
interface DeleteRequest {
  readonly id: ItemId;
  readonly body: unknown;
}

/** What came of a deletion. */
interface DeletedItem {
  readonly item: StoredItem;
  /** What goes on after the request; absent if everything is deleted. */
  readonly deletion?: BranchDeletion;
}

/** For how long nobody else looks after a deletion that a request is about to begin, in milliseconds. */
const beginning = 60_000;

/**
 * Deletes an item and asks for its publication, an outline with the outlines in it, unless the request says
 * otherwise. Of an outline with more in it than `GATEWAY_DELETE_ITEMS` the merger deletes what is in it.
 * @param expected the revision that the deletion was made for, if there is one
 * @param keyed under what key, if there is one: sent again, it is not made again
 * @throws ProblemError 400, 409 for a mirror, and what `editItem` throws
 */
export async function deleteItem(
  ports: GatewayPorts,
  collection: Collection,
  { id, body }: DeleteRequest,
  expected?: number,
  keyed?: KeyedRequest,
): Promise<DeletedItem> {
  const { store, clock, publicUrl, jobs } = ports;
  const isTree = isFeedTree(collection);
  if (isTree) await refuseMirror(ports, collection.key);
  const { data, children } = checkInput(itemDeletion.prefault({}), 'body', body);
  const isOutline = isHierarchical(collection);
  if (data !== undefined && isTree)
    throw invalidInput([{ path: 'query.data', message: 'an item of a tree leaves no data behind' }]);
  if (children !== undefined && !isOutline)
    throw invalidInput([{ path: 'query.children', message: 'only an outline has others in it' }]);
  const edit = { action: 'delete', ...(data && { removeData: data === 'remove' }) } as const;
  const editPorts: EditPorts = { store, publicUrl, actor: currentActor(), now: () => clock.now() };
  const isWhole = isOutline && children !== 'keep';
  if (isWhole && (await isLong(ports, collection, id, keyed))) {
    const deletion = newDeletion(ports, collection, id, edit.removeData, keyed);
    return deleteInSteps(ports, deletion, () => editItem(editPorts, collection, id, edit, expected, keyed));
  }
  const item = await (isWhole ? deleteBranch : editItem)(editPorts, collection, id, edit, expected, keyed);
  jobs.written(collection);
  return { item };
}

/** Whether there is too much in an outline for one request, or was when it was first sent. */
async function isLong(
  { store, configuration }: GatewayPorts,
  { key }: Collection,
  id: ItemId,
  keyed: KeyedRequest | undefined,
): Promise<boolean> {
  if (keyed !== undefined && (await store.branchDeletions.find(key, keyed.identifier))) return true;
  if (!(await isBranchAbove(store.items, key, id, configuration.GATEWAY_DELETE_ITEMS))) return false;
  return (await store.items.load(key, [id])).get(id)?.deleted === false;
}

function newDeletion(
  { clock, random }: GatewayPorts,
  { key }: Collection,
  item: ItemId,
  removeData: boolean | undefined,
  keyed: KeyedRequest | undefined,
): BranchDeletion {
  const actor = currentActor();
  return {
    collection: key,
    id: keyed?.identifier ?? random.identifier(),
    item,
    ...(removeData !== undefined && { removeData }),
    ...(actor && { actor }),
    requestedAt: clock.now(),
    done: 0,
    total: 0,
  };
}

/**
 * Deletes the outline itself, and leaves what is in it to the merger. The deletion is stored first, so that
 * none is forgotten whose outline is deleted. One whose outline is not deleted in the end does nothing.
 */
async function deleteInSteps(
  { store, jobs }: GatewayPorts,
  requested: BranchDeletion,
  deleteOutline: () => Promise<StoredItem>,
): Promise<DeletedItem> {
  const { collection, id } = requested;
  const { requestedAt } = await store.branchDeletions.add(requested, beginning);
  const isNew = requestedAt.getTime() === requested.requestedAt.getTime();
  const item = await deleteOutline().catch(async (error: unknown) => {
    if (isNew && error instanceof EditError) await store.branchDeletions.remove(collection, id);
    throw error;
  });
  // Once more: whoever looked after it meanwhile has found an outline that was not deleted, and removed it.
  const deletion = await store.branchDeletions.add(requested, beginning);
  jobs.publish(collection);
  jobs.delete(collection, id);
  return { item, deletion };
}
