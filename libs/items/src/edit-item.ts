import { isNamespaceSpecificString } from '#feedsync';
import { convertPayload } from '#feed-xml';
import type { Collection, Store, StoredItem } from '#ports';
import { InvalidEditError, ItemExistsError, ItemNotFoundError, ItemStateError, RevisionMismatchError } from './edit-error.ts';
import { formatDateTime } from './identity.ts';
import type { Edit } from './protocol.ts';
import { protocols } from './protocols.ts';
import { itemWrite } from './stored-item.ts';

/** How long an id of ours may be, in characters. */
const maximumIdLength = 512;

/** How often an edit without a stated revision is decided again after a lost race. */
const maximumAttempts = 20;

/** What an edit needs of the world. */
export interface EditPorts {
  readonly store: Pick<Store, 'items'>;
  readonly now: () => Date;
  readonly publicUrl: string;
}

/**
 * Performs a local edit (FeedSync 3.1, 3.2, 3.4): load, decide, compare-and-set. When it returns, the new revision is on a
 * majority and in the journal, and pending for the publisher. A payload of the other format is converted to the collection's.
 * @param expected the revision that the edit was made for; undefined edits whatever revision there is
 * @returns the item as stored
 * @throws ItemNotFoundError, ItemExistsError, RevisionMismatchError, ItemStateError, InvalidEditError, and the engine's
 *   EditLimitError and ResolutionError
 */
export async function editItem(ports: EditPorts, collection: Collection, id: string, edit: Edit, expected?: number): Promise<StoredItem> {
  if (edit.action === 'create') checkNewId(id);
  const fitting = 'payload' in edit && edit.payload !== undefined ? { ...edit, payload: convertPayload(edit.payload, collection.format) } : edit;
  const { items } = ports.store;
  for (let attempt = 0; attempt < maximumAttempts; attempt += 1) {
    const stored = (await items.load(collection.name, [id])).get(id);
    checkState(collection, id, edit, stored, expected);
    const now = ports.now();
    const editor = { by: collection.endpoint, when: formatDateTime(now) };
    const content = protocols[collection.protocol].edit(stored?.content, fitting, editor, collection.settings);
    const write = itemWrite({ collection, publicUrl: ports.publicUrl, now }, stored, content);
    const lost = await items.compareAndSet([write]);
    if (lost.length === 0) return { ...stored, ...write.item, revision: write.expected + 1 };
  }
  throw new ItemStateError(`The item was changed by others ${maximumAttempts} times while this edit was made. Try again.`);
}

function checkNewId(id: string): void {
  if (id.length > maximumIdLength) throw new InvalidEditError(`An id has at most ${maximumIdLength} characters; this one has ${id.length}.`);
  if (!isNamespaceSpecificString(id)) throw new InvalidEditError(`The id "${id}" is not a Namespace Specific String (RFC 2141; FeedSync 2.4).`);
}

function checkState(collection: Collection, id: string, edit: Edit, stored: StoredItem | undefined, expected: number | undefined): void {
  if (edit.action === 'create') {
    if (stored !== undefined) throw new ItemExistsError(collection.name, id);
    return;
  }
  if (stored === undefined) throw new ItemNotFoundError(collection.name, id);
  if (expected !== undefined && stored.revision !== expected) throw new RevisionMismatchError(expected, stored.revision);
  if (edit.action === 'undelete' && !stored.deleted) throw new ItemStateError(`The item "${id}" is not deleted.`);
  if (edit.action === 'undelete' && edit.payload === undefined && stored.content.data.children.length === 0)
    throw new InvalidEditError(`The item "${id}" has no data: its deletion removed it. Undelete it with a payload.`);
  if ((edit.action === 'update' || edit.action === 'delete') && stored.deleted) throw new ItemStateError(`The item "${id}" is deleted; undelete it first.`);
}
