import { requestDeletion, requestPublish } from '#contracts';
import type { DeleteJob } from '#contracts';
import { deleteBelow, PublishedLengthError } from '#items';
import { EditError, ItemSizeError } from '#core';
import type { BranchDeletion, Clock, Collection, JobQueue, Random, Store } from '#core';

/** What deleting a branch needs of the world. */
export interface DeletionPorts {
  readonly store: Store;
  readonly queue: JobQueue;
  readonly clock: Clock;
  readonly random: Random;
  readonly publicUrl: string;
}

export interface DeletionSettings {
  /** How long a deletion without progress is left to who works on it, in milliseconds. */
  readonly lease: number;
  /** For how long a deletion can be read after its end, in milliseconds. */
  readonly keep: number;
}

/** How many deletions are looked for in one go. */
const deletionsAtOnce = 100;

/**
 * Goes on with the deletion of everything below an item, under its lease:
 *
 *     lease ─▶ children deleted, pending ─▶ publish, progress, lease renewed ─▶ the next ones … ─▶ ended
 *
 * Begins at the root each time: what is deleted is met again, and left as it is. A deletion whose item is not
 * deleted, because its request broke off or was refused, is forgotten; once it has begun it goes on even if
 * the item comes back. A repeated job does nothing.
 */
export async function continueDeletion(
  ports: DeletionPorts,
  settings: DeletionSettings,
  { collection: key, deletion: id }: DeleteJob,
): Promise<void> {
  const { store, random } = ports;
  const holder = random.identifier();
  const deletion = await store.branchDeletions.take(key, id, { holder, duration: settings.lease });
  if (deletion === undefined) return;
  try {
    const collection = await store.collections.find(key);
    if (collection === undefined || !(await isWanted(store, deletion)))
      return await store.branchDeletions.remove(key, id);
    await deleteAll(ports, settings, collection, deletion, holder);
  } catch (error) {
    await store.branchDeletions.release(key, id, holder).catch(() => {});
    throw error;
  }
}

/** Whether its item is deleted, or was when the deletion began. */
async function isWanted(
  { items }: Store,
  { collection, item, isBegun = false }: BranchDeletion,
): Promise<boolean> {
  return isBegun || (await items.load(collection, [item])).get(item)?.deleted === true;
}

async function deleteAll(
  ports: DeletionPorts,
  { lease, keep }: DeletionSettings,
  collection: Collection,
  { id, item, removeData, actor }: BranchDeletion,
  holder: string,
): Promise<void> {
  const { store, queue, clock, publicUrl } = ports;
  const { key } = collection;
  const editPorts = { store, publicUrl, actor, now: () => clock.now() };
  const edit = { action: 'delete', ...(removeData !== undefined && { removeData }) } as const;
  let failure: string | undefined;
  try {
    const isComplete = await deleteBelow(editPorts, collection, item, edit, async (part) => {
      if (part.deleted.length > 0) await queue.send([requestPublish(key)]);
      return store.branchDeletions.advance(key, id, { holder, duration: lease }, part);
    });
    if (!isComplete) return;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    failure = error.message;
  }
  const at = clock.now();
  const keptUntil = new Date(at.getTime() + keep);
  await store.branchDeletions.end(key, id, holder, {
    at,
    keptUntil,
    ...(failure !== undefined && { failure }),
  });
}

/** Whether trying again would not help: an item of the branch can't be deleted. */
function isRefusal(error: unknown): error is Error {
  return (
    error instanceof EditError || error instanceof ItemSizeError || error instanceof PublishedLengthError
  );
}

/** Asks for the deletions that nobody works on any more to go on. */
export async function reconcileDeletions({
  store,
  queue,
}: Pick<DeletionPorts, 'store' | 'queue'>): Promise<void> {
  const found = await store.branchDeletions.abandoned(deletionsAtOnce);
  if (found.length > 0) await queue.send(found.map(({ collection, id }) => requestDeletion(collection, id)));
}
