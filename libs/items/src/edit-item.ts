import { isNamespaceSpecificString } from '#feedsync';
import type { Collection, StoredItem } from '#ports';
import { arrangeCollection } from './arrange-collection.ts';
import { InvalidEditError, ItemExistsError, ItemNotFoundError, ItemStateError, RevisionMismatchError } from './edit-error.ts';
import type { EditPorts } from './edit-ports.ts';
import { formatDateTime } from './identity.ts';
import { payloadIn } from './payload-format.ts';
import type { ItemEdit } from './place-wish.ts';
import { ancestry, placementOf } from './placement.ts';
import type { Edit } from './protocol.ts';
import { protocols } from './protocols.ts';
import { isWithoutData } from './removed-data.ts';
import { itemWrite } from './stored-item.ts';
import { writeEdits } from './write-edits.ts';

/** How long an id of ours may be, in characters. */
const maximumIdLength = 512;

/** How often an edit without a stated revision is decided again after a lost race. */
const maximumAttempts = 20;

/**
 * Performs a local edit (FeedSync 3.1, 3.2, 3.4; SSE 4.1, 4.2, 5): load, decide, compare-and-set. When it returns, the new revision
 * is on a majority and in the journal, and pending for the publisher. A payload of the other feed format is converted to the
 * collection's. Where siblings have to make room for the item, they are moved first.
 * @param expected the revision that the edit was made for; undefined edits whatever revision there is
 * @returns the item as stored
 * @throws ItemNotFoundError, ItemExistsError, RevisionMismatchError, ItemStateError, InvalidEditError, FeedError of rule
 *   `format-fixed` for content that can't be converted, and the engine's EditLimitError and ResolutionError
 */
export async function editItem(ports: EditPorts, collection: Collection, id: string, edit: ItemEdit, expected?: number): Promise<StoredItem> {
  if (edit.action === 'create') checkNewId(id);
  const fitting = 'payload' in edit && edit.payload !== undefined ? { ...edit, payload: payloadIn(collection.format, edit.payload) } : edit;
  const { items } = ports.store;
  for (let attempt = 0; attempt < maximumAttempts; attempt += 1) {
    const stored = (await items.load(collection.name, [id])).get(id);
    checkState(collection, id, edit, stored, expected);
    const { position, moved } = await placementOf(items, collection, id, fitting, stored);
    if ((await writeEdits(ports, collection, moved)).length > 0) continue;
    const now = ports.now();
    const editor = { by: collection.endpoint, when: formatDateTime(now) };
    const content = protocols[collection.protocol].edit(stored?.content, { ...fitting, ...(position && { position }) }, editor, collection.settings);
    const write = itemWrite({ collection, publicUrl: ports.publicUrl, now }, stored, content);
    const lost = await items.compareAndSet([write]);
    if (lost.length > 0) continue;
    const written = { ...stored, ...write.item, revision: write.expected + 1 };
    return (await closesCycle(ports, collection, written, stored)) ? arranged(ports, collection, written) : written;
  }
  throw new ItemStateError(`The item was changed by others ${maximumAttempts} times while this edit was made. Try again.`);
}

/** Whether an item that got another parent has become one of its own, because that was moved at the same time. */
async function closesCycle({ store }: EditPorts, collection: Collection, { id, position }: StoredItem, before: StoredItem | undefined): Promise<boolean> {
  if (position?.parent === before?.position?.parent) return false;
  return (await ancestry(store.items, collection.name, position?.parent)).has(id);
}

async function arranged(ports: EditPorts, collection: Collection, item: StoredItem): Promise<StoredItem> {
  await arrangeCollection(ports, collection);
  return (await ports.store.items.load(collection.name, [item.id])).get(item.id) ?? item;
}

function checkNewId(id: string): void {
  if (id.length > maximumIdLength) throw new InvalidEditError(`An id has at most ${maximumIdLength} characters; this one has ${id.length}.`);
  if (!isNamespaceSpecificString(id)) throw new InvalidEditError(`The id "${id}" is not a Namespace Specific String (RFC 2141; FeedSync 2.4, SSE 2.3).`);
}

function checkState(collection: Collection, id: string, edit: Edit, stored: StoredItem | undefined, expected: number | undefined): void {
  if (edit.action === 'create') {
    if (stored !== undefined) throw new ItemExistsError(collection.name, id);
    return;
  }
  if (stored === undefined) throw new ItemNotFoundError(collection.name, id);
  if (expected !== undefined && stored.revision !== expected) throw new RevisionMismatchError(expected, stored.revision);
  if (edit.action === 'undelete' && !stored.deleted) throw new ItemStateError(`The item "${id}" is not deleted.`);
  if (edit.action === 'undelete' && edit.payload === undefined && isWithoutData(stored.content.data))
    throw new InvalidEditError(`The item "${id}" has no data: its deletion removed it. Undelete it with a payload.`);
  if ((edit.action === 'update' || edit.action === 'delete') && stored.deleted) throw new ItemStateError(`The item "${id}" is deleted; undelete it first.`);
}
