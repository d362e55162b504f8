import { cleanUpHistory, createItem, deleteItem, merge, resolveItem, undeleteItem, updateItem } from '#feedsync';
import { readItem, writeItem } from '#feed-xml';
import type { Payload } from '#feed-xml';
import type { CollectionSettings, ItemContent } from '#ports';
import type { Edit, Editor, Protocol } from './protocol.ts';

/** FeedSync 1.0.2 for items in Atom and RSS. */
export const feedsyncProtocol: Protocol = {
  read: (fragment) => readItem(fragment),

  merge(local, incoming) {
    const { item, changed } = merge(local, incoming);
    return { content: item, changed };
  },

  edit(local, edit, editor, settings) {
    const edited = performEdit(local, edit, editor, settings);
    return settings.cleanUpHistory ? { ...edited, sync: cleanUpHistory(edited.sync) } : edited;
  },

  write: (content, publisher) => writeItem(content, publisher),
};

function performEdit(local: ItemContent | undefined, edit: Edit, editor: Editor, settings: CollectionSettings): ItemContent {
  if (edit.action === 'create') {
    const { id, payload, noconflicts, deleted } = edit;
    return createItem({ id, data: payload, ...editor, noconflicts, deleted });
  }
  if (local === undefined) throw new TypeError(`There is no item to ${edit.action}.`);
  if (edit.action === 'update') return updateItem(local, { data: edit.payload, ...editor });
  if (edit.action === 'delete') {
    const isDataRemoved = edit.removeData ?? settings.removeDeletedData ?? false;
    return deleteItem(local, { ...editor, ...(isDataRemoved && { data: withoutData(local.data) }) });
  }
  if (edit.action === 'undelete') return undeleteItem(local, { data: edit.payload ?? local.data, ...editor });
  return resolveItem(local, { keep: edit.keep, data: edit.payload, conflicts: edit.conflicts, ...editor });
}

/** What stays of a deleted item's content: nothing but its format (FeedSync 3.2, MAY). */
function withoutData({ format }: Payload): Payload {
  return { format, children: [], scope: { namespaces: [] } };
}
