import type { Collection } from '#ports';
import type { EditPorts } from '../edit-ports.ts';
import { formatDateTime } from '../identity.ts';
import { protocols } from '../protocols.ts';
import { itemWrite } from '../stored-item.ts';
import { writeEdits } from '../write-edits.ts';
import type { RevisionEdit } from '../write-edits.ts';

/** How many items are written in one go. */
const batchLength = 500;

/** Performs the edits of an import, revision 0 being a creation. Answers those that were written: the others have lost a race. */
export async function writeImport(ports: EditPorts, collection: Collection, edits: readonly RevisionEdit[]): Promise<RevisionEdit[]> {
  const lost = new Set<string>();
  for (let start = 0; start < edits.length; start += batchLength) {
    const batch = edits.slice(start, start + batchLength);
    const created = batch.filter(({ revision }) => revision === 0);
    for (const id of await createAll(ports, collection, created)) lost.add(id);
    for (const id of await writeEdits(ports, collection, batch.filter(({ revision }) => revision > 0))) lost.add(id);
  }
  return edits.filter(({ id }) => !lost.has(id));
}

async function createAll({ store, now, publicUrl }: EditPorts, collection: Collection, edits: readonly RevisionEdit[]): Promise<string[]> {
  if (edits.length === 0) return [];
  const at = now();
  const editor = { by: collection.endpoint, when: formatDateTime(at) };
  const protocol = protocols[collection.protocol];
  return store.items.compareAndSet(edits.map(({ edit }) => itemWrite({ collection, publicUrl, now: at }, undefined, protocol.edit(undefined, edit, editor, collection.settings))));
}
