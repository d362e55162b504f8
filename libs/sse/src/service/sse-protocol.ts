import { dateInPayload, FeedError, readReaderItem, withBase } from '#xml';
import { readSseItem, readSseItemSteps } from '../xml/item-reading.ts';
import { writeSseItem } from '../xml/item-writing.ts';
import { createItem, updateItem } from '../engine/edit.ts';
import { merge } from '../engine/merge.ts';
import { resign, signaturesOf } from '../engine/signature.ts';
import { resolveItem } from '../engine/resolve.ts';
import { sseDialect } from '../xml/dialect.ts';
import { sseRules } from '../xml/rule.ts';
import type { Format, Payload } from '#xml';
import type { CollectionSettings } from '#core';
import type { SseContent } from './sse-content.ts';
import {
  InvalidEditError,
  planByWindow,
  markOf,
  readerAddress,
  withoutData,
  sharingSettings,
} from '#protocol';
import { composeSseFeed } from './sse-feed.ts';
import { isOrdered, ItemsOfOwnIds } from '#protocol';
import type { Edit, Editor, SharingProtocol } from '#protocol';
import { sseItemJson } from './sse-json.ts';
import { SseMergedFeed } from './sse-merged-feed.ts';

/**
 * Simple Sharing Extensions 0.91 for items in RSS and outlines in OPML. Incoming items are copied whole
 * (4.2), in the format they have.
 */
export const sseProtocol: SharingProtocol<SseContent> &
  Required<Pick<SharingProtocol<SseContent>, 'placeItem'>> = {
  structure: 'items',
  title: 'Simple Sharing Extensions 0.91',
  dialect: sseDialect,
  formats: ['rss', 'opml'],
  settings: [...sharingSettings, 'ordered', 'updatesKept', 'namespace'],
  statesPublicationTimes: true,
  completeFeedSection: 'SSE 2.2.1',

  planFeed: (progress, feedUrl, head) =>
    planByWindow(progress, feedUrl, head, {
      // Both are whole seconds, and both are included: a feed that begins in the second after leaves
      // nothing out.
      isPast: (since, until) => Date.parse(since) > Date.parse(until) + 1000,
      isCompleteWithoutSince: true,
    }),

  // SSE has no rule for it.
  republishedMarkup: () => [],

  composeFeed: composeSseFeed,

  shownSubscriptions: ({ listSubscriptions }) => (listSubscriptions === true ? 'all' : 'none'),

  publishedFormats: (format) => [format],

  mergeSection: 'SSE 4.4',
  repeatedItemRule: { name: 'sse-sync-id-unique', ...sseRules['sse-sync-id-unique'] },

  // An id is that of one item alone (2.3).
  examineItems: () =>
    new ItemsOfOwnIds<SseContent>(readSseItem, {
      name: 'sse-sync-id-unique',
      ...sseRules['sse-sync-id-unique'],
    }),

  mergeFeeds: () => new SseMergedFeed(sseProtocol),

  read: (fragment) => readSseItemSteps(fragment),

  payloadIn,

  adapt(item, collection, base) {
    const adapted = withPayloads(item, (payload) => {
      const kept = payloadIn(payload, collection.format);
      return base === undefined ? kept : withBase(kept, base);
    });
    return isOrdered(collection) ? adapted : withoutPositions(adapted);
  },

  isSignedBy: (content, by) => signaturesOf(content, by, withoutMark).length > 0,

  signatures: (content, by) => signaturesOf(content, by, markOf),

  resign,

  merge(local, incoming) {
    const { item, changed } = merge(local, incoming);
    return { content: item, changed };
  },

  placeItem: (content, { position, isReparented }) => ({
    ...content,
    position,
    sync: { ...content.sync, conflict: content.sync.conflict || isReparented },
  }),

  edit(local, edit, editor, settings) {
    if (edit.action === 'create') {
      const { id, payload, noconflicts, deleted, position } = edit;
      if (noconflicts !== undefined)
        throw new InvalidEditError('SSE 0.91 knows no noconflicts; only items of FeedSync have it.');
      return createItem({ id, data: payload, ...editor, deleted, position });
    }
    if (local === undefined) throw new TypeError(`There is no item to ${edit.action}.`);
    return performEdit(local, edit, editor, settings);
  },

  write: (content) => writeSseItem(content),

  withPayloads,

  summary({ sync: { id, deleted, version, conflict, history }, conflicts, position }) {
    const { when, by } = history[0] ?? {};
    return {
      id,
      deleted,
      conflictCount: Math.max(conflict ? 1 : 0, conflicts.length),
      ...(position && { position }),
      version: {
        updates: version,
        history: { sequence: version, ...(when !== undefined && { when }), ...(by !== undefined && { by }) },
      },
    };
  },

  json: sseItemJson,

  creation: ({ data, sync: { history } }) => dateInPayload(data) ?? history.at(-1)?.when,

  readerItem: ({ data }, collection, publicUrl) => readReaderItem(data, readerAddress(collection, publicUrl)),
};

const withoutMark = (): readonly string[] => [];

function performEdit(
  local: SseContent,
  edit: Exclude<Edit, { action: 'create' }>,
  editor: Editor,
  { updatesKept, removeDeletedData = false }: CollectionSettings,
): SseContent {
  const author = { ...editor, updatesKept };
  if (edit.action === 'resolve') {
    if (edit.conflicts !== undefined)
      throw new InvalidEditError(
        "A resolution resolves all conflicts of an SSE item (SSE 4.2, step 4); it can't name some of them.",
      );
    return resolveItem(local, { keep: edit.keep, data: edit.payload, ...author });
  }
  if (edit.action === 'delete') {
    const isDataRemoved = edit.removeData ?? removeDeletedData;
    return updateItem(local, {
      deleted: true,
      ...(isDataRemoved && { data: withoutData(local.data) }),
      ...author,
    });
  }
  return updateItem(local, { data: edit.payload, position: edit.position, ...author });
}

function payloadIn(payload: Payload, format: Format): Payload {
  if (payload.format === format) return payload;
  throw new FeedError({
    rule: 'format-fixed',
    section: 'SSE 2.3',
    message:
      `The items of this collection are in ${format}; SSE copies items whole, so one in ` +
      `${payload.format} has no place in it.`,
    line: 1,
    column: 1,
  });
}

function withPayloads(item: SseContent, replace: (payload: Payload) => Payload): SseContent {
  const conflicts = item.conflicts.map((conflict) =>
    conflict.item ? { ...conflict, item: withPayloads(conflict.item, replace) } : conflict,
  );
  return { ...item, data: replace(item.data), conflicts };
}

function withoutPositions({ sync, data, conflicts }: SseContent): SseContent {
  return {
    sync,
    data,
    conflicts: conflicts.map((conflict) =>
      conflict.item ? { ...conflict, item: withoutPositions(conflict.item) } : conflict,
    ),
  };
}
