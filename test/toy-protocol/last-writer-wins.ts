import { feedsyncDialect, feedsyncProtocol } from '#feedsync';
import { readReaderItem } from '#xml';
import type { Child, Payload } from '#xml';
import { InvalidEditError, isItem, ItemSet, ItemsOfOwnIds } from '#protocol';
import type { Edit } from '#protocol';
import type { SharingProtocol } from '#protocol';
import type { FeedSyncContent } from '#feedsync';
import { finish, itemId } from '#core';

const namespace = 'urn:example:last-writer-wins';

/** A version: who made it, when, and how many there were before. There are no conflicts. */
type Content = FeedSyncContent;

/**
 * A protocol for tests alone: an RSS item has a `version` of its own namespace, and of two versions the one
 * that was made last stays.
 */
export const lastWriterWins: SharingProtocol<Content> = {
  structure: 'items',
  title: 'Last Writer Wins',
  formats: ['rss'],
  settings: ['windowItems'],
  statesPublicationTimes: false,
  // Only the head of its feeds is FeedSync's.
  dialect: feedsyncDialect,
  completeFeedSection: 'FeedSync 4.1.2',
  planFeed: (...input) => feedsyncProtocol.planFeed(...input),
  composeFeed: (...input) => feedsyncProtocol.composeFeed(...input),
  republishedMarkup: () => [],
  shownSubscriptions: () => 'none',
  publishedFormats: (format) => [format],
  mergeSection: 'last writer wins',
  repeatedItemRule: feedsyncProtocol.repeatedItemRule,

  *read(fragment) {
    const reading = yield* feedsyncProtocol.read(fragment);
    if (reading.kind !== 'plain') return { kind: 'rejected', violations: reading.violations };
    const version = reading.payload.children.find((child) => child.namespace === namespace);
    if (version === undefined) return reading;
    const { id = '', updates, when = '', by = '', deleted } = attributesOf(version);
    const children = reading.payload.children.filter((child) => child !== version);
    const sync = versionOf(id, Number(updates), when, by, deleted === 'true');
    return {
      kind: 'item',
      item: { sync, data: { ...reading.payload, children }, conflicts: [] },
      violations: reading.violations,
    };
  },

  examineItems: () =>
    new ItemsOfOwnIds((fragment) => finish(lastWriterWins.read(fragment)), lastWriterWins.repeatedItemRule),

  mergeFeeds() {
    const set = new ItemSet(lastWriterWins);
    let isLocal = true;
    return {
      take: (fragment) => set.take(fragment, (item) => item, isLocal),
      end: () => {
        isLocal = false;
        return set.end();
      },
      get items() {
        return set.items;
      },
      write: () =>
        set.members.map((member) =>
          isItem(member) ? lastWriterWins.write(member, { id: '', updated: '' }) : member.xml,
        ),
    };
  },

  payloadIn: (payload) => payload,
  adapt: (item) => item,
  withPayloads: (item, replace) => ({ ...item, data: replace(item.data) }),
  isSignedBy: ({ sync }, by) => sync.history[0]?.by === by,
  signatures: ({ sync }, by) =>
    sync.history[0]?.by === by ? [{ sequence: sync.updates, when: sync.history[0]?.when ?? '' }] : [],
  resign: (item) => item,

  merge(local, incoming) {
    const changed = local === undefined || isLater(incoming, local);
    return { content: changed ? incoming : local, changed };
  },

  edit(local, edit, { by, when }) {
    if (edit.action === 'resolve')
      throw new InvalidEditError('The last writer wins: there are no conflicts.');
    const { id, updates = 0, history = [], deleted = false } = local?.sync ?? idOf(edit);
    const last = history[0]?.when ?? '';
    const data = ('payload' in edit ? edit.payload : undefined) ?? local?.data ?? nothing;
    const isDeleted = edit.action === 'delete' || (edit.action === 'update' && deleted);
    const sync = versionOf(id, updates + 1, last > when ? last : when, by, isDeleted);
    return { sync, data, conflicts: [] };
  },

  write({ sync: { id, updates, deleted, history }, data }) {
    const { when, by } = history[0] ?? {};
    const attributes = Object.entries({ id, updates, when, by, deleted }).map(
      ([name, value]) => ` ${name}="${value}"`,
    );
    const children = data.children.map(({ xml }) => xml).join('');
    return `<item>${children}<w:version xmlns:w="${namespace}"${attributes.join('')}/></item>`;
  },

  summary: ({ sync: { id, updates, deleted, history } }) => ({
    id,
    deleted,
    conflictCount: 0,
    version: { updates, history: history[0] ?? { sequence: updates } },
  }),

  json: (content) => feedsyncProtocol.json(content),
  creation: () => undefined,
  readerItem: ({ data }) => readReaderItem(data, ''),
};

const nothing: Payload = { format: 'rss', children: [], scope: { namespaces: [] } };

function attributesOf({ xml }: Child): Partial<Record<string, string>> {
  return Object.fromEntries(
    Array.from(xml.matchAll(/ (\w+)="([^"]*)"/g), ([, name, value]) => [name, value]),
  );
}

function idOf(edit: Edit): { id: string } & Partial<Content['sync']> {
  return { id: edit.action === 'create' ? edit.id : itemId('') };
}

function versionOf(id: string, updates: number, when: string, by: string, deleted: boolean): Content['sync'] {
  return { id: itemId(id), updates, deleted, history: [{ sequence: updates, when, by }] };
}

function isLater(one: Content, other: Content): boolean {
  const [a, b] = [one, other].map(({ sync: { updates, history } }) =>
    [history[0]?.when, String(updates).padStart(10, '0'), history[0]?.by].join(' '),
  );
  return (a ?? '') > (b ?? '');
}
