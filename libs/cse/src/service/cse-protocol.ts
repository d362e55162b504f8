import { convertPayload, dateInPayload, readReaderItem } from '#xml';
import type { Enclosure } from '#xml';
import type { Collection, TreeContent, TreeLink } from '#core';
import { cseNamespace } from '../xml/namespace.ts';
import { cseItemJson } from './cse-json.ts';
import { InvalidEditError, readerAddress } from '#protocol';
import type { Edit, FeedTreeProtocol } from '#protocol';
import { linkAddress } from './tree-address.ts';
import { tombstoneOf } from './tree-content.ts';
import { CseExamination } from './tree-examination.ts';
import { treeItemId } from './tree-item-id.ts';

/**
 * Content Sync Extensions: items in a tree of feeds, in RSS, which has one source and so nothing to merge. A
 * deletion always takes an item's data and links.
 */
export const cseProtocol: FeedTreeProtocol<TreeContent> = {
  structure: 'feed-tree',

  namespaces: [cseNamespace],
  title: 'Content Sync Extensions',
  formats: ['rss'],
  settings: ['links', 'refreshOnDemand'],
  statesPublicationTimes: true,

  publishedFormats: (format) => [format],

  examineItems: () => new CseExamination(),

  payloadIn: convertPayload,

  edit(local, edit, { when }) {
    if (edit.action === 'create') return created(edit, when);
    if (local === undefined) throw new TypeError(`There is no item to ${edit.action}.`);
    if (edit.action === 'resolve')
      throw new InvalidEditError(
        'Content Sync Extensions have one source for every item, so there are no conflicts to resolve.',
      );
    if (edit.action === 'delete') return tombstoneOf(local, when);
    const { payload: data = local.data, branch = {}, position = local.position } = edit;
    return { ...local, ...branch, deleted: false, version: local.version + 1, when, data, position };
  },

  summary({ feed, guid, deleted, version, when, position, links }) {
    const [nested, second] = links.filter(({ nestedFeed }) => nestedFeed);
    const target = second === undefined ? nested?.target : undefined;
    const files = new Set(
      deleted
        ? []
        : links.flatMap((link) =>
            link.target !== undefined && 'file' in link.target ? [link.target.file] : [],
          ),
    );
    return {
      id: treeItemId(feed, guid),
      deleted,
      conflictCount: 0,
      position,
      branch: {
        guid,
        ...(!deleted && target !== undefined && 'feed' in target && { nested: target.feed }),
        files: [...files],
      },
      version: { updates: version, history: { sequence: version, when } },
    };
  },

  json: cseItemJson,

  creation: ({ data }) => dateInPayload(data),

  *readerItem({ hidden, data, links }, collection, publicUrl) {
    if (hidden) return undefined;
    const item = yield* readReaderItem(data, readerAddress(collection, publicUrl));
    const files = links.flatMap((link) => enclosureOf(link, collection, publicUrl) ?? []);
    const known = new Set(files.map(({ url }) => url));
    return { ...item, enclosures: [...files, ...item.enclosures.filter(({ url }) => !known.has(url))] };
  },
};

/** What a csx:link leads to, unless that is another feed. */
function enclosureOf(link: TreeLink, collection: Collection, publicUrl: string): Enclosure | undefined {
  if (link.nestedFeed) return undefined;
  const url = linkAddress(publicUrl, collection, link);
  if (link.target === undefined || !('file' in link.target)) return { url };
  const { length, type } = link.target;
  return { url, length, ...(type !== undefined && { type }) };
}

function created(
  { payload, branch, position, noconflicts, deleted }: Extract<Edit, { action: 'create' }>,
  when: string,
): TreeContent {
  if (noconflicts !== undefined)
    throw new InvalidEditError(
      'Content Sync Extensions know no noconflicts; only items of FeedSync have it.',
    );
  if (deleted === true)
    throw new InvalidEditError('Content Sync Extensions know no deleted items, so none can be created.');
  if (branch === undefined || position === undefined)
    throw new TypeError('A new item of a tree has its feed and its place there.');
  return { ...branch, deleted: false, version: 1, when, data: payload, position };
}
