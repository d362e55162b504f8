import { randomUUID } from 'node:crypto';
import type { mongo } from 'mongoose';
import type { CachedCopy, CollectionKey, DownloadOutcome, FoundDocument } from '#core';
import type { StoredTreeDocument } from './tree-document.ts';

type Update = mongo.UpdateFilter<StoredTreeDocument>;

/** What a document is in step with of which no item has said a date. */
const earliestDate = '1601-01-01T00:00:00Z';

/** What a write sets that may change what a fetch of the tree has to do: a name of its own. */
export function change(): { changed: string } {
  return { changed: randomUUID() };
}

/**
 * The update, with upsert, that records what a download came to. A copy ends an earlier failure; a failure
 * leaves the copy as it is. A copy that is unchanged leaves nothing to do that there was not before.
 */
export function outcomeUpdate(
  collection: CollectionKey,
  outcome: DownloadOutcome,
  copy?: CachedCopy,
): Update {
  const failure = outcome.kind === 'failed' ? { rule: outcome.rule, reason: outcome.reason } : undefined;
  const isUnchanged = outcome.kind === 'unchanged' && copy === undefined;
  return {
    $set: { outcome, ...(copy && { copy }), ...(failure && { failure }), ...(!isUnchanged && change()) },
    ...((copy || isUnchanged) && !failure && { $unset: { failure: '' } }),
    $setOnInsert: {
      collection,
      isFeed: copy?.isFeed ?? false,
      onDemand: false,
      isRequested: false,
      lastBuildDate: copy?.lastBuildDate ?? earliestDate,
      ...(isUnchanged && change()),
    },
  };
}

/**
 * The update, with upsert, that records what a walk found of a document, and nothing of what it has in the
 * cache.
 */
export function foundUpdate(
  collection: CollectionKey,
  { isFeed, onDemand, lastBuildDate, failure }: FoundDocument,
): Update {
  return {
    $set: { isFeed, onDemand, lastBuildDate, ...(failure && { failure }), ...change() },
    $unset: { dropped: '', ...(!failure && { failure: '' }) },
    $setOnInsert: { collection, isRequested: false },
  };
}

/** The update that takes a copy from the cache; one of what is on demand is requested again. */
export const withoutCopy = () => [
  {
    $set: {
      isRequested: {
        $or: ['$isRequested', { $and: ['$onDemand', { $ne: [{ $type: '$copy' }, 'missing'] }] }],
      },
      ...change(),
    },
  },
  { $unset: ['copy', 'merged'] },
];

/** The update, with upsert, that records that somebody has requested a document. */
export function requestUpdate(collection: CollectionKey, isFeed: boolean): Update {
  return {
    $set: { isRequested: true, ...change() },
    $setOnInsert: { collection, isFeed, onDemand: true, lastBuildDate: earliestDate },
  };
}
