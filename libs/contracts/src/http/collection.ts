import { z } from 'zod';
import { collectionName } from '../name.ts';
import { contracts } from '../registry.ts';
import type { Described } from '../registry.ts';
import { collectionFormat, collectionSettings, visibility } from './collection-settings.ts';
import { page } from './page.ts';
import { subscriptionStateCounts } from './subscription-counts.ts';
import { time } from './time.ts';

const url = z.string();
const byFormat = z.record(z.string(), url);

const number = z.number().int();
const counts = z.object({
  items: number.describe('Items that are not deleted.'),
  deletedItems: number,
  conflicts: number.describe('Items with conflicts, deleted ones among them.'),
  subscriptions: subscriptionStateCounts.describe('How many subscriptions are in each state.'),
});

const collectionFields = {
  name: collectionName,
  title: z.string(),
  protocol: z.string().describe('The name of its synchronisation protocol.'),
  format: collectionFormat,
  endpoint: z.string().describe('The identifier that this endpoint signs edits with.'),
  retiredEndpoints: z
    .array(z.string())
    .optional()
    .describe('The identifiers that it signed with before, the first one first.'),
  settings: collectionSettings.describe('Those that its protocol has.'),
  visibility: visibility.describe('Who may read its feeds and files: everyone, or whoever may read it.'),
  cursor: z.string().describe('Where its changes have got to: 16 digits.'),
  publishedAt: time.optional().describe('When `cursor` last moved.'),
  createdAt: time,
  counts: counts.optional().describe('How much is in it; absent from a list with `counts=false`.'),
  links: z.object({
    self: url,
    items: url,
    subscriptions: url,
    changes: url,
    feed: url.describe('The partial feed in its own format; of a tree of feeds, the one at its root.'),
    readerFeeds: byFormat.optional().describe('For feed readers, by format; absent for outlines.'),
    outline: url.optional(),
    conflicts: url.optional(),
    completeFeed: url.optional(),
    feeds: z
      .union([url, byFormat])
      .describe('The partial feeds by format; of a tree of feeds, the list of its feeds.'),
    completeFeeds: byFormat.optional(),
    discoveredFeeds: url.optional(),
    tree: url.optional().describe('Present if the collection is a tree of feeds.'),
    files: url.optional(),
    documents: url.optional(),
  }),
};

/** Stands in examples for the name of a protocol, which is not for the contracts to say. */
export const anyProtocol = '{protocol}';

const self = 'https://here.example/v1/collections/todo';
const feeds = 'https://here.example/feeds/todo';
const example = {
  name: 'todo',
  title: 'To do',
  protocol: anyProtocol,
  format: 'atom',
  endpoint: 'example.org:todo',
  settings: { windowItems: 1000, expiresAfter: 86_400, cleanUpHistory: false, historyLimit: 50 },
  visibility: 'private',
  cursor: '0000000000000042',
  publishedAt: '2026-01-01T10:00:05.000Z',
  createdAt: '2026-01-01T09:00:00.000Z',
  counts: {
    items: 120,
    deletedItems: 4,
    conflicts: 1,
    subscriptions: { ok: 2, slow: 0, late: 0, failing: 1, gone: 0, paused: 0, new: 0 },
  },
  links: {
    self,
    items: `${self}/items`,
    subscriptions: `${self}/subscriptions`,
    changes: `${self}/changes`,
    feed: `${feeds}.atom`,
    readerFeeds: { atom: `${feeds}/reader.atom`, rss: `${feeds}/reader.rss` },
    conflicts: `${self}/conflicts`,
    completeFeed: `${feeds}/complete.atom`,
    feeds: { atom: `${feeds}.atom`, rss: `${feeds}.rss` },
    completeFeeds: { atom: `${feeds}/complete.atom`, rss: `${feeds}/complete.rss` },
    discoveredFeeds: `${self}/discovered-feeds`,
  },
} satisfies z.input<z.ZodObject<typeof collectionFields>>;

/** A collection as it is shown. */
export const collection = z
  .object(collectionFields)
  .register(contracts, { id: 'Collection', version: 1, example });
export type CollectionView = Described<typeof collection>;

export const collectionPage = page('CollectionPage', collection, example);

/** A collection that has another endpoint identifier, and what became of the items refused for the former. */
export const renewedCollection = z
  .object({
    ...collectionFields,
    deadLetters: z
      .object({ merged: z.number().int(), left: z.number().int() })
      .describe('How many refused items are merged now, and how many are still refused, of the first 1,000.'),
  })
  .register(contracts, {
    id: 'RenewedCollection',
    version: 1,
    example: {
      ...example,
      endpoint: 'example.org:todo:x7k2',
      retiredEndpoints: ['example.org:todo'],
      deadLetters: { merged: 3, left: 0 },
    },
  });
export type RenewedCollectionView = Described<typeof renewedCollection>;
