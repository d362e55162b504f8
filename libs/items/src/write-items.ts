import { ItemSizeError, nameOf, Slices, TenantLimitError } from '#core';
import type { CollectionKey, ItemId, ItemStore, ItemWrite, StoredItem } from '#core';

/** Others changed the same items faster than they could be written; it goes well later. */
export class RaceError extends Error {
  override readonly name = 'RaceError';
}

/** The fetch that brought the items is over: what it says must not stand in for what a later one says. */
export class FetchOverError extends Error {
  override readonly name = 'FetchOverError';
}

/** How often what lost a race is decided again. */
const maximumAttempts = 20;

/** How many items are loaded and written in one go. */
const batchLength = 500;

/** What was decided about some items as they are stored now. */
export interface Decisions {
  readonly writes: readonly ItemWrite[];
  /** The items that are no longer what the decision was about; they count as lost. */
  readonly outdated?: readonly ItemId[];
  /** Called once the writes are stored; `lost` are the items that are not, and are decided again. */
  readonly done?: (lost: ReadonlySet<ItemId>) => Promise<void> | void;
}

/** Some items of a collection that are to be written. */
export interface WriteTask {
  readonly collection: CollectionKey;
  readonly ids: readonly ItemId[];
  /** What is stored of them, if that was read since the work was requested; at most a batch. */
  readonly loaded?: ReadonlyMap<ItemId, StoredItem> | undefined;
  /**
   * Decides about some of the items. May be called several times for an item, each time with what is stored
   * then.
   */
  readonly decide: (
    ids: readonly ItemId[],
    stored: ReadonlyMap<ItemId, StoredItem>,
  ) => Promise<Decisions> | Decisions;
  /** Chooses the items anew after a lost race; those that lost if absent. */
  readonly chooseAgain?: () => Promise<readonly ItemId[]>;
  /** Takes an item that is too large to be stored; its neighbours are decided again without it. */
  readonly refuse?: (id: ItemId, error: Error) => void;
  /** Takes an item that is more than its tenant may have; its neighbours are decided again without it. */
  readonly exceed?: (id: ItemId, error: TenantLimitError) => void;
  /** Makes the error for a race that was lost again and again; a `RaceError` if absent. */
  readonly raced?: (message: string) => Error;
}

/**
 * Writes items: load, decide, compare-and-set. What lost a race, because somebody else has changed it since
 * it was loaded, is decided again on what is stored then. If the store fails, any part of the writes may be
 * stored; to call this again is always right, because it loads and decides again.
 * @returns the items that were written, each once
 * @throws RaceError, or what `raced` makes; ItemSizeError if there is no `refuse`, TenantLimitError if there
 *   is no `exceed`, and nothing of its batch is written then; what `decide` throws
 */
export async function writeItems(
  items: Pick<ItemStore, 'load' | 'compareAndSet'>,
  task: WriteTask,
): Promise<ItemId[]> {
  const { collection, ids, decide, chooseAgain, raced = (message) => new RaceError(message) } = task;
  const written: ItemId[] = [];
  let lost: ItemId[] = [];
  let { loaded } = task;
  const writeBatch = async (batch: readonly ItemId[]): Promise<void> => {
    const slices = new Slices();
    const stored = loaded ?? (await items.load(collection, batch));
    loaded = undefined;
    await slices.rest();
    const { writes, outdated = [], done } = await decide(batch, stored);
    const racing = await items.compareAndSet(writes);
    const refused = new Set(racing);
    for (const { item } of writes) if (!refused.has(item.id)) written.push(item.id);
    const left = [...outdated, ...racing];
    await done?.(new Set(left));
    lost.push(...left);
  };
  let chosen = ids;
  for (let attempt = 0; attempt < maximumAttempts; attempt += 1) {
    lost = [];
    for (let start = 0; start < chosen.length; start += batchLength)
      await withoutRefused(chosen.slice(start, start + batchLength), writeBatch, task);
    if (lost.length === 0) return written;
    chosen = chooseAgain === undefined ? lost : await chooseAgain();
  }
  throw raced(
    `${lost.length} items of "${nameOf(collection)}" were changed by others ${maximumAttempts} times ` +
      'before they could be written. Try again.',
  );
}

/** Writes a batch, and if items of it are too large, or more than a tenant may have, the others. */
async function withoutRefused(
  batch: readonly ItemId[],
  write: (batch: readonly ItemId[]) => Promise<void>,
  { refuse, exceed }: WriteTask,
): Promise<void> {
  for (let left = batch; left.length > 0;) {
    try {
      return await write(left);
    } catch (error) {
      const refused = new Set<ItemId>();
      if (error instanceof ItemSizeError && refuse !== undefined)
        for (const id of error.sizes.keys()) {
          refuse(id, error.ofItem(id));
          refused.add(id);
        }
      else if (error instanceof TenantLimitError && exceed !== undefined)
        for (const id of error.ids) {
          exceed(id, error);
          refused.add(id);
        }
      else throw error;
      left = left.filter((id) => !refused.has(id));
    }
  }
}
