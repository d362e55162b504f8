import type { Steps } from '#core';
import { actionOf } from './feed.ts';
import type { Item } from './feed.ts';
import { ReferenceList } from './reference-list.ts';
import type { Reference } from './reference-list.ts';

/** A feed whose links are gone through. */
interface LinkingFeed {
  /** How many links it is below the root. */
  readonly depth: number;
  readonly items: readonly Item[];
  /** What its new and newer items link to; nothing if absent. */
  readonly wanted?: ReadonlySet<string> | undefined;
}

/**
 * Returns what feeds link to for an action, by URL. If they also link to it for the other action, these links
 * count for its date too. Yields after every item.
 */
export function* linkedDocuments(
  feeds: readonly LinkingFeed[],
  action: 'download' | 'download-and-process',
): Steps<ReadonlyMap<string, Reference>> {
  const named = new Set<string>();
  for (const { items } of feeds) {
    for (const { links } of items) {
      for (const link of links) if (actionOf(link) === action) named.add(link.url);
      yield;
    }
  }
  const references = new ReferenceList();
  for (const { depth, items, wanted } of feeds) {
    for (const { lastBuildDate, links } of items) {
      for (const { url, onDemand } of links) {
        if (!onDemand && named.has(url))
          references.add(url, { depth: depth + 1, lastBuildDate, isWanted: wanted?.has(url) ?? false });
      }
      yield;
    }
  }
  return references.all;
}
