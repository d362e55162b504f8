import { adoptItems } from '../adoption/adopt-items.ts';
import { feedEndpoint } from '../adoption/feed-endpoint.ts';
import { isDamagedCopy } from '../adoption/damaged-copy.ts';
import { isSameItem } from '../adoption/same-item.ts';
import { adoptVersion, isAdopted } from '../engine/adopted.ts';
import type { Sighting } from '#core';
import { cleanUpHistory } from '../engine/history.ts';
import { compareCodePoints } from '#core';
import { createItem, deleteItem, undeleteItem, updateItem } from '../engine/edit.ts';
import { merge } from '../engine/merge.ts';
import { resign, signaturesOf } from '../engine/signature.ts';
import { resolveItem } from '../engine/resolve.ts';
import { readItemSteps } from '../xml/item-reading.ts';
import { writeItem } from '../xml/item-writing.ts';
import { feedsyncDialect } from '../xml/dialect.ts';
import { feedsyncRules } from '../xml/rule.ts';
import type { Author } from '../engine/author.ts';
import type { HistoryEntry } from '../engine/item.ts';
import {
  adoptedSharedElements,
  convertPayload,
  dateInPayload,
  defaultSharedElements,
  foreignMarkup,
  readReaderItem,
  sharedPayload,
  withBase,
} from '#xml';
import type { Payload, PublisherData } from '#xml';
import type { CollectionSettings } from '#core';
import type { FeedSyncContent } from './feedsync-content.ts';
import { examineFeedSyncItems } from './feedsync-examination.ts';
import { FeedSyncMergedFeed } from './feedsync-merged-feed.ts';
import { feedsyncItemJson } from './feedsync-json.ts';
import { resolveConflicts } from './feedsync-resolution.ts';
import { planByWindow, markOf, readerAddress, withoutData, sharingSettings } from '#protocol';
import { composeFeedSyncFeed } from './feedsync-feed.ts';
import type { Edit, SharingProtocol } from '#protocol';

/**
 * FeedSync 1.0.2 for items in Atom and RSS. Of incoming items the shared data is kept (Implementation Notes,
 * Note 1), in the collection's format.
 */
export const feedsyncProtocol: SharingProtocol<FeedSyncContent> = {
  structure: 'items',
  title: 'FeedSync 1.0.2',
  dialect: feedsyncDialect,
  formats: ['atom', 'rss'],
  settings: [
    ...sharingSettings,
    'cleanUpHistory',
    'historyLimit',
    'republishMarkup',
    'sharedElements',
    'resolution',
  ],
  statesPublicationTimes: false,
  completeFeedSection: 'FeedSync 4.1.2',

  planFeed: (progress, feedUrl, head) =>
    planByWindow(progress, feedUrl, head, {
      isPast: (since, until) => compareCodePoints(since, until) > 0,
      isCompleteWithoutSince: false,
    }),

  republishedMarkup: foreignMarkup,

  composeFeed: composeFeedSyncFeed,

  shownSubscriptions({ listSubscriptions, republishMarkup }) {
    if (listSubscriptions === true) return 'all';
    return republishMarkup === false ? 'none' : 'with-markup';
  },

  mergeSection: 'FeedSync 3.3',
  repeatedItemRule: { name: 'repeated-item-conflict', ...feedsyncRules['repeated-item-conflict'] },

  examineItems: examineFeedSyncItems,

  mergeFeeds: () => new FeedSyncMergedFeed(feedsyncProtocol),

  read: (fragment) => readItemSteps(fragment),

  payloadIn: convertPayload,

  publishedFormats: () => ['atom', 'rss'],

  adapt(item, { settings, format }, base) {
    return withPayloads(item, (payload, sync) => {
      const ofOthers = isAdopted(sync) ? adoptedSharedElements : defaultSharedElements;
      const kept = sharedPayload(payload, settings.sharedElements ?? ofOthers);
      return convertPayload(base === undefined ? kept : withBase(kept, base), format);
    });
  },

  isSignedBy: (content, by) => signaturesOf(content, by, withoutMark).length > 0,

  signatures: (content, by) => signaturesOf(content, by, markOf),

  resign,

  merge(local, incoming) {
    const { item, changed } = merge(local, incoming);
    return { content: item, changed };
  },

  resolveConflicts,

  edit(local, edit, editor, settings) {
    const { by, when, issued } = editor;
    const edited = performEdit(
      local,
      edit,
      { by, when, ...(issued && { issued: issued.highest }) },
      settings,
    );
    const { cleanUpHistory: isCleanedUp, historyLimit = Infinity } = settings;
    return isCleanedUp || edited.sync.history.length > historyLimit
      ? { ...edited, sync: cleanUpHistory(edited.sync) }
      : edited;
  },

  write: (content, publisher) =>
    writeItem(content, isAdopted(content.sync) ? withoutAuthor(publisher) : publisher),

  withPayloads,

  summary({ sync: { id, deleted, updates, noconflicts, history }, conflicts }) {
    const { sequence, when, by } = history[0] ?? { sequence: 0 };
    const topmost = { sequence, ...(when !== undefined && { when }), ...(by !== undefined && { by }) };
    return {
      id,
      deleted,
      conflictCount: conflicts.length,
      version: { updates, ...(noconflicts !== undefined && { noconflicts }), history: topmost },
    };
  },

  json: feedsyncItemJson,

  creation: ({ data, sync: { history } }) => dateInPayload(data) ?? history.at(-1)?.when,

  readerItem: ({ data }, collection, publicUrl) => readReaderItem(data, readerAddress(collection, publicUrl)),

  isOwn: (content, endpoints) =>
    [content, ...content.conflicts].some((version) => isOwnVersion(version, endpoints)),

  adoption: { endpointOf: feedEndpoint, adopt: adoptItems, isSameItem, version: adopted },
};

/** An adopted item has the author that its feed names, or none: the author of our feed is not its own. */
function withoutAuthor({ author: _author, ...publisher }: PublisherData): PublisherData {
  return publisher;
}

const withoutMark = (): readonly string[] => [];

function adopted(
  local: FeedSyncContent | undefined,
  incoming: FeedSyncContent,
  sighting: Sighting,
): FeedSyncContent | undefined {
  return isDamagedCopy(local, incoming) ? undefined : adoptVersion(local, incoming, sighting);
}

function performEdit(
  local: FeedSyncContent | undefined,
  edit: Edit,
  editor: Author,
  settings: CollectionSettings,
): FeedSyncContent {
  if (edit.action === 'create') {
    const { id, payload, noconflicts, deleted } = edit;
    return createItem({ id, data: payload, ...editor, noconflicts, deleted });
  }
  if (local === undefined) throw new TypeError(`There is no item to ${edit.action}.`);
  if (edit.action === 'update') return updateItem(local, { data: edit.payload ?? local.data, ...editor });
  if (edit.action === 'delete') {
    const isDataRemoved = edit.removeData ?? settings.removeDeletedData ?? false;
    return deleteItem(local, { ...editor, ...(isDataRemoved && { data: withoutData(local.data) }) });
  }
  if (edit.action === 'undelete') return undeleteItem(local, { data: edit.payload ?? local.data, ...editor });
  return resolveItem(local, { keep: edit.keep, data: edit.payload, conflicts: edit.conflicts, ...editor });
}

function withPayloads(
  { sync, data, conflicts }: FeedSyncContent,
  replace: (payload: Payload, sync: FeedSyncContent['sync']) => Payload,
): FeedSyncContent {
  return {
    sync,
    data: replace(data, sync),
    conflicts: conflicts.map((conflict) => withPayloads(conflict, replace)),
  };
}

function isOwnVersion({ sync: { history } }: FeedSyncContent, endpoints: readonly string[]): boolean {
  const isOurs = ({ by }: HistoryEntry): boolean => by !== undefined && endpoints.includes(by);
  const [updated, created] = [history[0], history.at(-1)];
  if ((updated && isOurs(updated)) || (created && isOurs(created))) return true;
  // A history that was cleaned up (3.2) may no longer say who created the item: then any part in it may have
  // been that.
  return created?.sequence !== 1 && history.some(isOurs);
}
