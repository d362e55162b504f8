import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { earliestDate } from '#cse';
import type { Feed } from '#cse';
import type { FoundDocument } from '#core';

/** How many links are taken in one go: milliseconds of work. */
const step = 2000;

/** What a tree says of a document that it refers to. */
export type TreeReference = Pick<FoundDocument, 'url' | 'isFeed' | 'onDemand' | 'lastBuildDate'>;

/**
 * Every document that the feeds of a tree refer to, by URL: the root, what its items link to, and so on
 * through the nested feeds that are known. Feeds come in the order of their level.
 * @param feeds by URL, as they are printed
 */
export async function findReferences(
  root: string,
  feeds: ReadonlyMap<string, Feed>,
): Promise<ReadonlyMap<string, TreeReference>> {
  const references = new Map<string, TreeReference>([
    [root, { url: root, isFeed: true, onDemand: false, lastBuildDate: earliestDate }],
  ]);
  const reached = new Set([root]);
  let taken = 0;
  for (const feed of reached) {
    for (const { lastBuildDate, links } of feeds.get(feed)?.items ?? []) {
      taken += links.length;
      if (taken >= step) {
        await yieldToEventLoop();
        taken = 0;
      }
      for (const { url, nestedFeed, onDemand } of links) {
        references.set(url, join({ url, isFeed: nestedFeed, onDemand, lastBuildDate }, references.get(url)));
        if (nestedFeed) reached.add(url);
      }
    }
  }
  return references;
}

function join(reference: TreeReference, other: TreeReference | undefined): TreeReference {
  if (other === undefined) return reference;
  return {
    url: reference.url,
    isFeed: reference.isFeed || other.isFeed,
    onDemand: reference.onDemand && other.onDemand,
    lastBuildDate:
      reference.lastBuildDate > other.lastBuildDate ? reference.lastBuildDate : other.lastBuildDate,
  };
}
