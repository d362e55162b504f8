import type { Violation } from '#xml';
import type { ChangeEvent } from '#contracts';
import { itemId, subscriptionId } from '#core';
import type {
  CachedCopy,
  ChangeBlock,
  Collection,
  CollectionKey,
  TreeContent,
  DeadLetter,
  FeedSummary,
  FoundDocument,
  ItemWrite,
  Manifest,
  ManifestSeal,
  Notice,
  PublishedItem,
  Subscription,
  TreeFeed,
  TreeProgress,
} from '#core';
import type { FeedSyncContent } from '#feedsync';
import type { SseContent } from '#sse';
import { sampleCollection, sampleSubscription } from '#in-memory';

const beta = subscriptionId('beta');

/** Identifiers that something between here and the disk might take for something else. */
export const awkwardIds = [
  '$set',
  'a.b',
  '__proto__',
  'constructor',
  'a/b',
  '/',
  ' ',
  'A',
  'a',
  'é',
  'e\u0301',
  '\uff5e',
  '😀',
  'x'.repeat(5000),
];

/** A moment, in seconds after an arbitrary beginning. */
export function second(count: number): Date {
  return new Date(Date.UTC(2026, 0, 1) + count * 1000);
}

export function collection(key: CollectionKey): Collection {
  return sampleCollection({
    key,
    endpoint: 'feedmesh:alpha',
    createdAt: second(0),
  });
}

export function content(id: string, title = 'Buy milk'): FeedSyncContent {
  const atom = 'http://www.w3.org/2005/Atom';
  return {
    sync: {
      id: itemId(id),
      updates: 1,
      deleted: false,
      history: [{ sequence: 1, when: '2026-01-01T00:00:00Z', by: '$by.__proto__' }],
    },
    data: {
      format: 'atom',
      children: [{ namespace: atom, name: 'title', xml: `<title>${title}</title>` }],
      scope: {
        namespaces: [
          ['', atom],
          ['__proto__', 'urn:a'],
          ['$b.c', 'urn:b'],
        ],
      },
    },
    conflicts: [],
  };
}

/** The title of an item whose content is one of `content`. */
export function titleOf({ content: { data } }: Pick<ItemWrite['item'], 'content'>): string {
  return data.children[0]?.xml.slice('<title>'.length, -'</title>'.length) ?? '';
}

/** The content of an item of a collection with Simple Sharing Extensions. */
export function sseContent(id: string): SseContent {
  const sync = {
    id: itemId(id),
    version: 2,
    deleted: false,
    conflict: true,
    history: [{ when: '2026-01-01T00:00:00Z', by: '$by.__proto__' }, { by: 'B' }],
  };
  const data = { format: 'opml', children: [], scope: { namespaces: [] } } as const;
  return {
    sync,
    data,
    position: { parent: '$parent.a', key: 'a0' },
    conflicts: [{ version: 2, by: 'C', item: { sync, data, conflicts: [] } }],
  };
}

/** The content of an item of a tree of feeds (Content Sync Extensions). */
export function cseContent(guid: string): TreeContent {
  const link = {
    place: { child: 0, start: 10, end: 14 },
    nestedFeed: false,
    onDemand: true,
    url: 'http://files.example/$a.b',
    target: { file: 'd1', name: '__proto__', length: 3 },
  } as const;
  const data = {
    format: 'rss',
    children: [{ namespace: '', name: 'link', xml: '<link>http://files.example/</link>' }],
    scope: { namespaces: [] },
  } as const;
  return {
    feed: 'root',
    guid,
    hidden: true,
    deleted: false,
    version: 2,
    when: '2026-01-01T00:00:00Z',
    data,
    links: [link],
    position: { parent: 'root', key: 'a0' },
  };
}

/** A write of an item; `change` says what is not as usual. */
export function write(
  key: CollectionKey,
  id: string,
  expected = 0,
  change: Partial<ItemWrite['item']> = {},
): ItemWrite {
  const usual = {
    deleted: false,
    conflictCount: 0,
    version: { updates: 1, history: { sequence: 1, by: '$by.__proto__' } },
    sources: [],
    createdAt: second(0),
    updatedAt: second(expected),
  };
  return {
    expected,
    item: {
      collection: key,
      id: itemId(id),
      content: content(id),
      ...usual,
      ...change,
    },
  };
}

export function published(id: string, sequence: number, revision = 1): PublishedItem {
  return { id: itemId(id), sequence, revision, deleted: false, conflictCount: 0 };
}

export function subscription(
  key: CollectionKey,
  id: string,
  change: Partial<Subscription> = {},
): Subscription {
  return sampleSubscription({
    collection: key,
    id: subscriptionId(id),
    url: `http://feeds.example/${id}`,
    createdAt: second(0),
    ...change,
  });
}

export function manifest(key: CollectionKey, id: string, openedAt = second(0)): Manifest {
  return {
    id,
    collection: key,
    subscription: beta,
    openedAt,
    touchedAt: openedAt,
    done: [],
    rejected: 0,
  };
}

export function seal(batches: number): ManifestSeal {
  return {
    cursor: { etag: '"1"' },
    nextFetchAt: second(60),
    nextFetchReason: 'The feed asks for it.',
    batches,
    items: batches * 10,
    known: 0,
    resynced: false,
  };
}

export function notice(key: CollectionKey, id: string, at = second(0)): Notice {
  return { id, collection: key, subscription: beta, type: 'fetched', at };
}

/** A member of a later version, with names that MongoDB could take for something else. */
const unknownMember = { later: { $set: { 'a.b': null } } };

export function event(key: CollectionKey, sequence: number): ChangeEvent {
  return {
    specversion: '1.0',
    id: `${key}:${sequence}`,
    source: `urn:feedmesh:test:${key}`,
    subject: `item ${sequence}`,
    type: 'feedmesh.item.created.v1',
    time: '2026-01-01T00:00:00Z',
    datacontenttype: 'application/json',
    sequence: String(sequence).padStart(16, '0'),
    data: { updates: 1, deleted: false, conflictCount: 0, itemUrl: '', ...unknownMember },
  };
}

/** A block of `count` changes that begins with the sequence `first`. */
export function block(key: CollectionKey, first: number, count: number): ChangeBlock {
  const sequences = Array.from({ length: count }, (_, place) => first + place);
  return {
    collection: key,
    first,
    events: sequences.map((sequence) => event(key, sequence)),
    items: sequences.map((sequence) => published(`item ${sequence}`, sequence)),
    notices: [],
    at: second(first),
  };
}

export function treeFeed(key: CollectionKey, id: string): TreeFeed {
  return {
    collection: key,
    id,
    title: '$title',
    head: ['<x:shelf xmlns:x="urn:x">A</x:shelf>', '<ttl>60</ttl>'],
    createdAt: second(0),
  };
}

export function treeUrl(path: string): string {
  return `http://files.example/${path}`;
}

/** What a walk found of the document at this path. */
export function foundDocument(path: string): FoundDocument {
  return { url: treeUrl(path), isFeed: false, onDemand: false, lastBuildDate: '2026-01-02T00:00:00Z' };
}

export function cachedCopy(digest: string): CachedCopy {
  return { lastBuildDate: '2026-01-02T00:00:00Z', digest, length: 7, base: treeUrl('base'), isFeed: false };
}

export function treeProgress(done: number): TreeProgress {
  return { done, total: 2 * done, bytes: 1000 * done, failed: 1 };
}

export function deadLetter(key: CollectionKey, id: string): DeadLetter {
  return {
    id,
    collection: key,
    subscription: beta,
    kind: 'item',
    fragment: { xml: '<entry/>', line: 3, column: 5 },
    violations: [violation(3)],
    at: second(0),
  };
}

export function violation(line: number): Violation {
  return {
    rule: 'sync-updates-range',
    section: 'FeedSync 2.4',
    message: '"updates" is 0.',
    severity: 'error',
    line,
    column: 9,
  };
}

export function feedSummary(): FeedSummary {
  return {
    title: '$title',
    markup: ['<x:shelf xmlns:x="urn:x">A</x:shelf>'],
    aggregated: [
      { link: 'http://feeds.example/gamma', title: 'Gamma' },
      { link: 'http://feeds.example/delta' },
    ],
  };
}
