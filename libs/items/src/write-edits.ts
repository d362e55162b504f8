import { inSlices } from '#core';
import type { Collection, ItemId, ItemWrite, Steps, StoredItem } from '#core';
import type { IssuedRecord } from '#core';
import type { EditPorts } from './edit-ports.ts';
import { formatDateTime } from '#protocol';
import { issuedRecord, issuedRecords, withLatest } from './issued-records.ts';
import type { Edit } from '#protocol';
import { isFeedTree, protocolOf } from '#protocols';
import { checkPublishedLength } from './published-length.ts';
import { itemWrite } from './stored-item.ts';
import { writeItems } from './write-items.ts';
import type { WriteTask } from './write-items.ts';

/** An edit of an item as it was at a revision; 0 for its creation. */
export interface RevisionEdit {
  readonly id: ItemId;
  readonly revision: number;
  readonly edit: Edit;
}

/**
 * Performs edits of several items. If others have changed some of them since the edits were planned, these
 * stay as they are, and edits are planned again until all are made.
 * @param plan the edits, each of another item; called again after a lost race
 * @param raced makes the error for a race that was lost again and again, as in `writeItems`
 * @returns the edits that were made
 * @throws what `editWrite` does
 */
export async function writeEdits(
  ports: EditPorts,
  collection: Collection,
  plan: () => Promise<readonly RevisionEdit[]>,
  raced?: WriteTask['raced'],
): Promise<RevisionEdit[]> {
  const { items } = ports.store;
  const made: RevisionEdit[] = [];
  let planned: ReadonlyMap<ItemId, RevisionEdit> = new Map();
  const choose = async (): Promise<ItemId[]> => {
    planned = await inSlices(byId(await plan()));
    return [...planned.keys()];
  };
  await writeItems(items, {
    collection: collection.key,
    ids: await choose(),
    chooseAgain: choose,
    decide: async (ids, stored) => {
      const edits = ids.flatMap((id) => planned.get(id) ?? []);
      const isCurrent = ({ id, revision }: RevisionEdit): boolean =>
        (stored.get(id)?.revision ?? 0) === revision;
      const current = edits.filter(isCurrent);
      const issued = await issuedRecords(
        items,
        collection,
        stored,
        current.map(({ id }) => id),
      );
      return {
        writes: await inSlices(editWrites(ports, collection, current, { stored, issued })),
        outdated: edits.filter((edit) => !isCurrent(edit)).map(({ id }) => id),
        done: (lost) => void made.push(...edits.filter(({ id }) => !lost.has(id))),
      };
    },
    raced,
  });
  return made;
}

function* byId(edits: readonly RevisionEdit[]): Steps<ReadonlyMap<ItemId, RevisionEdit>> {
  const found = new Map<ItemId, RevisionEdit>();
  for (const edit of edits) {
    found.set(edit.id, edit);
    yield;
  }
  return found;
}

/** The writes that edits come to, as the items are stored, with what was signed of each. */
export function* editWrites(
  ports: EditPorts,
  collection: Collection,
  edits: readonly Pick<RevisionEdit, 'id' | 'edit'>[],
  known: {
    readonly stored: ReadonlyMap<ItemId, StoredItem>;
    readonly issued: ReadonlyMap<ItemId, readonly IssuedRecord[]>;
  },
): Steps<ItemWrite[]> {
  const writes: ItemWrite[] = [];
  for (const { id, edit } of edits)
    writes.push(yield* editWrite(ports, collection, known.stored.get(id), edit, known.issued.get(id)));
  return writes;
}

/**
 * The write that an edit of an item comes to, now and by this endpoint. Throws what the protocol's `edit`
 * does, and PublishedLengthError.
 * @param records what was signed of the item, as `issuedRecords` finds it
 */
export function* editWrite(
  { now, publicUrl, actor }: EditPorts,
  collection: Collection,
  stored: StoredItem | undefined,
  edit: Edit,
  records?: readonly IssuedRecord[],
): Steps<ItemWrite> {
  const at = now();
  const before = isFeedTree(collection)
    ? undefined
    : issuedRecord(collection, collection.endpoint, records, stored?.content);
  const editor = { by: collection.endpoint, when: formatDateTime(at), ...(before && { issued: before }) };
  const content = protocolOf(collection).edit(stored?.content, edit, editor, collection.settings);
  yield;
  const issued = isFeedTree(collection) ? undefined : withLatest(collection, records, before, content);
  const write = itemWrite({ collection, now: at }, stored, content, {
    ...(issued && { issued }),
    ...(actor && { actor }),
  });
  yield;
  yield* checkPublishedLength(collection, write, publicUrl);
  return write;
}
