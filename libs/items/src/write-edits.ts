import type { Collection } from '#ports';
import type { EditPorts } from './edit-ports.ts';
import { formatDateTime } from './identity.ts';
import type { Edit } from './protocol.ts';
import { protocols } from './protocols.ts';
import { itemWrite } from './stored-item.ts';

/** An edit of an item as it was at a revision. */
export interface RevisionEdit {
  readonly id: string;
  readonly revision: number;
  readonly edit: Edit;
}

/** Performs edits of several items in one write. Answers the ids of those that were no longer at their revision, and so are as they were. */
export async function writeEdits({ store, now, publicUrl }: EditPorts, collection: Collection, edits: readonly RevisionEdit[]): Promise<string[]> {
  if (edits.length === 0) return [];
  const at = now();
  const editor = { by: collection.endpoint, when: formatDateTime(at) };
  const stored = await store.items.load(collection.name, edits.map(({ id }) => id));
  const isCurrent = ({ id, revision }: RevisionEdit): boolean => stored.get(id)?.revision === revision;
  const writes = edits.filter(isCurrent).map(({ id, edit }) => {
    const item = stored.get(id);
    const content = protocols[collection.protocol].edit(item?.content, edit, editor, collection.settings);
    return itemWrite({ collection, publicUrl, now: at }, item, content);
  });
  const lost = writes.length > 0 ? await store.items.compareAndSet(writes) : [];
  return [...edits.filter((edit) => !isCurrent(edit)).map(({ id }) => id), ...lost];
}
