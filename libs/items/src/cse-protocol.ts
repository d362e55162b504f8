import { convertPayload } from '#feed-xml';
import type { CseContent } from '#ports';
import { cseItemJson } from './cse-json.ts';
import { InvalidEditError } from './edit-error.ts';
import type { Edit, Protocol } from './protocol.ts';
import { tombstoneOf } from './tree/tree-content.ts';
import { treeItemId } from './tree/tree-item-id.ts';

/** Content Sync Extensions: items in a tree of feeds, in RSS, which has one source and so nothing to merge. A deletion always takes an item's data and links. */
export const cseProtocol: Protocol<CseContent> = {
  payloadIn: convertPayload,

  edit(local, edit, { when }) {
    if (edit.action === 'create') return created(edit, when);
    if (local === undefined) throw new TypeError(`There is no item to ${edit.action}.`);
    if (edit.action === 'resolve') throw new InvalidEditError('Content Sync Extensions have one source for every item, so there are no conflicts to resolve.');
    if (edit.action === 'delete') return tombstoneOf(local, when);
    const { payload: data = local.data, branch = {}, position = local.position } = edit;
    return { ...local, ...branch, deleted: false, version: local.version + 1, when, data, position };
  },

  summary({ feed, guid, deleted, version, when, position, links }) {
    const [nested, second] = links.filter(({ nestedFeed }) => nestedFeed);
    const target = second === undefined ? nested?.target : undefined;
    const files = new Set(deleted ? [] : links.flatMap((link) => (link.target !== undefined && 'file' in link.target ? [link.target.file] : [])));
    return {
      id: treeItemId(feed, guid),
      deleted,
      conflictCount: 0,
      position,
      branch: { guid, ...(!deleted && target !== undefined && 'feed' in target && { nested: target.feed }), files: [...files] },
      version: { updates: version, history: { sequence: version, when } },
    };
  },

  json: cseItemJson,
};

function created({ payload, branch, position, noconflicts, deleted }: Extract<Edit, { action: 'create' }>, when: string): CseContent {
  if (noconflicts !== undefined) throw new InvalidEditError('Content Sync Extensions know no noconflicts; only items of FeedSync have it.');
  if (deleted === true) throw new InvalidEditError('Content Sync Extensions know no deleted items, so none can be created.');
  if (branch === undefined || position === undefined) throw new TypeError('A new item of a tree has its feed and its place there.');
  return { ...branch, deleted: false, version: 1, when, data: payload, position };
}
