import type { Steps, TreeDocument } from '#core';
import type { TreeCache } from './tree-cache.ts';
import type { TreeReference } from './tree-references.ts';

/**
 * What is to be fetched although it may be on demand: what somebody has requested, what was lost although it
 * had been fetched, and the feeds on the way there.
 */
export function* requested({
  documents,
  feeds,
}: Pick<TreeCache, 'documents' | 'feeds'>): Steps<ReadonlySet<string>> {
  const asked = new Set<string>();
  for (const document of documents.values()) {
    if (document.isRequested || isLost(document)) asked.add(document.url);
    yield;
  }
  // The deepest feeds first: most trees need one turn, and one in which nothing is found.
  const upwards = [...feeds].toReversed();
  for (let known = 0; known < asked.size;) {
    known = asked.size;
    for (const [url, { items }] of upwards) {
      if (asked.has(url)) continue;
      for (const { links } of items) {
        yield;
        if (!links.some((link) => asked.has(link.url))) continue;
        asked.add(url);
        break;
      }
    }
  }
  return asked;
}

/** A document that was there: nothing says that it could not be fetched. */
function isLost({ onDemand, copy, failure, dropped }: TreeDocument): boolean {
  return !onDemand && copy === undefined && failure === undefined && dropped === undefined;
}

/**
 * The documents that somebody had requested when the cache was loaded and that are there after a walk, each
 * with all that it names and that is not on demand.
 * @param failed what the walk could not have
 */
export function fulfilledRequests(
  { documents, feeds }: Pick<TreeCache, 'documents' | 'feeds'>,
  references: ReadonlyMap<string, TreeReference>,
  failed: ReadonlyMap<string, unknown>,
): string[] {
  const isInStep = (url: string): boolean => {
    const date = references.get(url)?.lastBuildDate;
    return date !== undefined && (documents.get(url)?.copy?.lastBuildDate ?? '') >= date && !failed.has(url);
  };
  const isWhole = (request: string): boolean => {
    const reached = new Set([request]);
    for (const url of reached) {
      if (!isInStep(url)) return false;
      for (const { links } of feeds.get(url)?.items ?? [])
        for (const link of links) if (!link.onDemand) reached.add(link.url);
    }
    return true;
  };
  return [...documents.values()]
    .filter(({ url, isRequested }) => isRequested && isWhole(url))
    .map(({ url }) => url);
}
