import { createHash } from 'node:crypto';
import { inSlices, sorted } from '#core';
import type { CachedCopy, Steps, TreeDocument } from '#core';
import type { FeedToMirror } from './mirror-jobs.ts';
import type { TreeReference } from './tree-references.ts';

/** What of a document tells whether a fetch of its tree has any work. */
type DocumentInStep = Pick<
  TreeDocument,
  'url' | 'isFeed' | 'onDemand' | 'isRequested' | 'lastBuildDate' | 'copy' | 'failure' | 'merged' | 'dropped'
>;

/**
 * What a tree is in step with: as long as it stays the same, and the root feed too, a fetch of the tree finds
 * nothing to download and nothing to mirror. In hexadecimal.
 * @param settings what else decides about that, as JSON values
 * @param documents in any order
 * @returns undefined if a document is not in step with the feeds that refer to it
 */
export async function treeSignature(
  settings: readonly unknown[],
  documents: Iterable<DocumentInStep>,
): Promise<string | undefined> {
  return inSlices(signatureOf(settings, documents));
}

function* signatureOf(
  settings: readonly unknown[],
  documents: Iterable<DocumentInStep>,
): Steps<string | undefined> {
  const rows: string[] = [];
  for (const document of documents) {
    const row = stateOf(document);
    if (row === undefined) return undefined;
    rows.push(row);
    yield;
  }
  const hash = createHash('sha256').update(settingsRow(settings));
  for (const row of yield* sorted(rows, byCodeUnit)) {
    hash.update(`\n${row}`);
    yield;
  }
  return hash.digest('hex');
}

function byCodeUnit(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** The digest of the settings of a signature, in hexadecimal. */
export function settingsDigest(settings: readonly unknown[]): string {
  return createHash('sha256').update(settingsRow(settings)).digest('hex');
}

/**
 * What a signature says of a document: the same text as long as it gives a fetch nothing to do that it did
 * not give the last one. Undefined if it is not in step with the feeds that refer to it.
 */
export function stateOf(document: DocumentInStep): string | undefined {
  if (!isInStep(document)) return undefined;
  const { url, isFeed, onDemand, isRequested, lastBuildDate, copy, merged } = document;
  const identity = copy && identityOf(copy);
  return JSON.stringify([url, isFeed, onDemand, isRequested, lastBuildDate, merged ?? null, identity]);
}

/** The documents of a tree as they are once its feeds are mirrored. */
export function* documentsAfter(
  documents: ReadonlyMap<string, TreeDocument>,
  references: ReadonlyMap<string, TreeReference>,
  feeds: readonly FeedToMirror[],
  fulfilled: ReadonlySet<string>,
): Generator<DocumentInStep> {
  const merged = new Map(feeds.map((feed) => [feed.url, feed.merged]));
  for (const reference of references.values()) {
    const document = documents.get(reference.url);
    yield {
      ...reference,
      isRequested: document?.isRequested === true && !fulfilled.has(reference.url),
      copy: document?.copy,
      merged: merged.get(reference.url) ?? document?.merged,
    };
  }
}

/** Whether two copies hold the same, and count as the same for the feeds that refer to them. */
export function isSameCopy(one: CachedCopy | undefined, other: CachedCopy | undefined): boolean {
  return (
    one !== undefined &&
    other !== undefined &&
    JSON.stringify(identityOf(one)) === JSON.stringify(identityOf(other))
  );
}

/** Whether the next fetch leaves a document alone if no feed changes. */
function isInStep({ isFeed, onDemand, isRequested, lastBuildDate, copy, failure, dropped }: DocumentInStep) {
  if (failure !== undefined || dropped !== undefined) return false;
  if (copy === undefined) return onDemand && !isRequested;
  return (onDemand && !isRequested) || (copy.lastBuildDate >= lastBuildDate && (copy.isFeed || !isFeed));
}

function settingsRow(settings: readonly unknown[]): string {
  return JSON.stringify(settings);
}

function identityOf({ digest, base, type, isFeed, lastBuildDate }: CachedCopy): readonly unknown[] {
  return [digest, base, type, isFeed, lastBuildDate];
}
