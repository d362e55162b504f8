import type { DocumentState } from '#contracts';
import type { TreeDocument, TreeLink } from '#core';

/** How far the mirror is with a document. */
export function documentState({
  copy,
  failure,
  lastBuildDate,
  onDemand,
  isRequested,
}: TreeDocument): DocumentState {
  if (copy !== undefined)
    return failure === undefined && copy.lastBuildDate >= lastBuildDate ? 'cached' : 'stale';
  if (failure !== undefined) return 'failed';
  return onDemand && !isRequested ? 'on-demand' : 'waiting';
}

/**
 * How far we are with what a link refers to; undefined of a link that does not count, and of one that leads
 * elsewhere from a tree of our own.
 * @param document what the cache of a mirror says of it; undefined if it says nothing
 */
export function linkState(
  link: TreeLink,
  siblings: readonly TreeLink[],
  isMirror: boolean,
  document?: TreeDocument,
): DocumentState | undefined {
  if (!counts(link, siblings)) return undefined;
  if (document !== undefined) return documentState(document);
  if (link.target !== undefined) return 'cached';
  if (!isMirror) return undefined;
  return link.onDemand ? 'on-demand' : 'waiting';
}

/**
 * Whether a link of an item is followed: if one is a nested feed, it alone; if more are, none (CSE,
 * nestedFeed attribute).
 */
export function counts(link: TreeLink, siblings: readonly TreeLink[]): boolean {
  const nested = siblings.filter(({ nestedFeed }) => nestedFeed).length;
  return nested === 0 || (nested === 1 && link.nestedFeed);
}
