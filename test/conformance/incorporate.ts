import { feedsyncDialect } from '#feedsync';
import { deepStrictEqual } from 'node:assert/strict';
import { describeFeed, writeFeedEnd, writeFeedStart } from '#xml';
import type { Violation, Format } from '#xml';
import { mergeFragments, renderedXml } from '#items';
import { createMemoryStore, sampleCollection } from '#in-memory';
import { collectionKey, finish, subscriptionId } from '#core';
import type { Collection, CollectionSettings, Store } from '#core';
import type { CaseDocuments } from './case-file/case-documents.ts';
import type { ExpectedViolation } from './conformance-case.ts';
import { compareFeeds } from './plain/plain-feed.ts';
import { fragmentsOf } from '../support/fragments-of.ts';

/** `format` is the collection's, `publish` the published feed's, the same if absent. */
export interface IncorporateOperation {
  readonly operation: 'incorporate';
  readonly format: Format;
  readonly publish?: Format;
  readonly settings?: Partial<CollectionSettings>;
  readonly expected?: { readonly violations: readonly ExpectedViolation[] };
}

const publicUrl = 'http://here.example';
const now = (): Date => new Date('2026-01-01T00:00:00Z');

/**
 * Incorporates the items of `local.xml`, if there is one, and then those of `incoming.xml` into an empty
 * collection, and compares what the endpoint publishes of them with `expected.xml`, and the violations of the
 * second feed with the expected ones.
 */
export async function incorporate({
  documents,
  format,
  publish = format,
  settings,
  expected,
}: IncorporateOperation & { readonly documents: CaseDocuments }): Promise<void> {
  const collection = emptyCollection(format, settings);
  const store = createMemoryStore({ clock: { now } });
  if (documents.has('local.xml')) await take(store, collection, documents.text('local.xml'), 'local');
  const violations = await take(store, collection, documents.text('incoming.xml'), 'incoming');
  deepStrictEqual(
    violations.map(({ rule, severity, line }) => ({ rule, severity, line })),
    expected?.violations ?? [],
  );
  compareFeeds(await publishedFeed(store, collection, publish), documents.text('expected.xml'), {
    publisher: true,
  });
}

function emptyCollection(format: Format, settings: Partial<CollectionSettings> = {}): Collection {
  return sampleCollection({
    key: collectionKey('todo'),
    format,
    title: 'Here',
    endpoint: 'example:here',
    createdAt: now(),
    settings: { expiresAfter: 86_400, ...settings },
  });
}

/** Merges the items of one feed as one batch; returns what was accepted although it violates a rule. */
async function take(
  store: Store,
  collection: Collection,
  text: string,
  subscription: string,
): Promise<readonly Violation[]> {
  const fragments = fragmentsOf(text, feedsyncDialect);
  const job = {
    version: 1,
    collection: collection.key,
    subscription: subscriptionId(subscription),
    manifest: subscription,
    batch: 0,
    fragments,
  } as const;
  const { rejected, violations } = await mergeFragments({ store, now, publicUrl }, collection, job);
  deepStrictEqual(rejected, 0, `items of ${subscription}.xml were rejected`);
  return violations;
}

async function publishedFeed(store: Store, collection: Collection, format: Format): Promise<string> {
  const items = await store.items.list(collection.key, { limit: Number.MAX_SAFE_INTEGER });
  const head = describeFeed({
    format,
    title: collection.title,
    id: publicUrl,
    selfUrl: publicUrl,
    updated: now().toISOString(),
    author: collection.title,
  });
  return [
    writeFeedStart(head, feedsyncDialect),
    ...items.map((item) => finish(renderedXml(format, collection, item, publicUrl))),
    writeFeedEnd(format),
  ].join('');
}
