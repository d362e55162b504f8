import type { Collection, IssuedRecord, ItemWrite, StoredItem } from '#core';
import type { EditPorts } from './edit-ports.ts';
import { formatDateTime } from './identity.ts';
import { issuedRecord, issuedRecords, withLatest } from './issued-records.ts';
import type { Edit } from './protocol.ts';
import { isFeedTree, protocolOf } from './protocols.ts';
import { checkPublishedLength } from './published-length.ts';
import { itemWrite } from './stored-item.ts';

/** An edit of an item as it was at a revision; 0 for its creation. */
export interface RevisionEdit {
  readonly id: string;
  readonly revision: number;
  readonly edit: Edit;
}

/** How many items are written in one go. */
const batchLength = 500;

/**
 * Performs edits of several items. Answers the ids of those that were no longer at their revision, and so are
 * as they were.
 */
export async function writeEdits(
  ports: EditPorts,
  collection: Collection,
  edits: readonly RevisionEdit[],
): Promise<Set<string>> {
  const lost = new Set<string>();
  for (let start = 0; start < edits.length; start += batchLength) {
    for (const id of await writeBatch(ports, collection, edits.slice(start, start + batchLength)))
      lost.add(id);
  }
  return lost;
}

async function writeBatch(
  ports: EditPorts,
  collection: Collection,
  edits: readonly RevisionEdit[],
): Promise<string[]> {
  const { items } = ports.store;
  const stored = await items.load(
    collection.name,
    edits.map(({ id }) => id),
  );
  const isCurrent = ({ id, revision }: RevisionEdit): boolean => (stored.get(id)?.revision ?? 0) === revision;
  const outdated = edits.filter((edit) => !isCurrent(edit)).map(({ id }) => id);
  const current = edits.filter(isCurrent);
  const issued = await issuedRecords(
    items,
    collection,
    stored,
    current.map(({ id }) => id),
  );
  const writes = current.map(({ id, edit }) =>
    editWrite(ports, collection, stored.get(id), edit, issued.get(id)),
  );
  return [...outdated, ...(await items.compareAndSet(writes))];
}

/**
 * The write that an edit of an item comes to, now and by this endpoint. Throws what the protocol's `edit`
 * does, and PublishedLengthError.
 * @param records what was signed of the item, as `issuedRecords` finds it
 */
export function editWrite(
  { now, publicUrl }: EditPorts,
  collection: Collection,
  stored: StoredItem | undefined,
  edit: Edit,
  records?: readonly IssuedRecord[],
): ItemWrite {
  const at = now();
  const before = isFeedTree(collection)
    ? undefined
    : issuedRecord(collection, collection.endpoint, records, stored?.content);
  const editor = { by: collection.endpoint, when: formatDateTime(at), ...(before && { issued: before }) };
  const content = protocolOf(collection).edit(stored?.content, edit, editor, collection.settings);
  const issued = isFeedTree(collection) ? undefined : withLatest(collection, records, before, content);
  const write = itemWrite({ collection, publicUrl, now: at }, stored, content, { ...(issued && { issued }) });
  checkPublishedLength(collection, write, publicUrl);
  return write;
}
