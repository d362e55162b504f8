import type { Feed, Link } from '#cse';

/** What stands at a URL: a file by its content, or a feed. */
export type Document = Feed | number;

/** Whether what stands at a URL is a feed. */
export function isFeed(document: Document | undefined): document is Feed {
  return typeof document === 'object';
}

/**
 * The algorithm of CSE, line by line as the pseudo code prints it, with the root as a nested feed that is not
 * on demand.
 * @param cache what it finds and leaves, by URL; this is changed
 * @returns every URL that it downloads, in order, also twice
 */
export function literalSync(
  root: string,
  site: ReadonlyMap<string, Document>,
  cache: Map<string, Document>,
): string[] {
  const downloads: string[] = [];
  // Add the root level <csx:link> to the download queue
  const downloadQueue: Link[] = [{ url: root, nestedFeed: true, onDemand: false }];
  // While the download queue isn't empty
  while (downloadQueue.length > 0) {
    // Download the next <csx:link> in the download queue
    const link = downloadQueue.shift();
    const document = link && site.get(link.url);
    if (link === undefined || document === undefined) continue;
    downloads.push(link.url);
    // If <csx:link> is nestedFeed
    if (link.nestedFeed && isFeed(document)) {
      const cachedFeed = cache.get(link.url);
      // If the feed does not exist in the cache
      if (!isFeed(cachedFeed)) {
        // For each <item> element in feed
        for (const item of document.items) {
          // Add all descendent <csx:link>'s with onDemand==false to the download queue
          downloadQueue.push(...item.links.filter(({ onDemand }) => !onDemand));
        } // End for
      } else if (document.lastBuildDate > cachedFeed.lastBuildDate) {
        // Else if feed is newer than cached feed
        // For each <item> element in feed
        for (const item of document.items) {
          const cachedItem = cachedFeed.items.find(({ id }) => id === item.id);
          // If cached <item> is older OR <item> does not exist in cached feed
          if (cachedItem === undefined || cachedItem.lastBuildDate < item.lastBuildDate) {
            // Add all descendent <csx:link>'s with onDemand==false to the download queue
            downloadQueue.push(...item.links.filter(({ onDemand }) => !onDemand));
          } // End if
        } // End for
      } // End if
    } // End if
    // Save file represented by <csx:link> to cache
    cache.set(link.url, document);
  } // End While
  return downloads;
}

/**
 * Item deletion and cache clean up: removes what nothing in the tree, as it is cached, refers to any more.
 */
export function literalCleanUp(root: string, cache: Map<string, Document>): void {
  const referred = referredFrom(root, cache);
  for (const url of cache.keys()) {
    if (!referred.has(url)) cache.delete(url);
  }
}

/** Every URL that a tree refers to, on demand too, as far as its feeds are in the cache. */
export function referredFrom(
  url: string,
  cache: ReadonlyMap<string, Document>,
  referred = new Set<string>(),
): ReadonlySet<string> {
  if (referred.has(url)) return referred;
  referred.add(url);
  const document = cache.get(url);
  if (isFeed(document))
    document.items.forEach(({ links }) => links.forEach((link) => referredFrom(link.url, cache, referred)));
  return referred;
}
