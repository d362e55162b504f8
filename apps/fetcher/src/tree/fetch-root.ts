import { earliestDate } from '#cse';
import type { ScanLimits } from '#xml';
import type { Freshness, TreeDocument } from '#core';
import { downloadDocument } from './download-document.ts';
import type { DownloadPorts } from './download-document.ts';
import type { TreeFetch } from './tree-fetch.ts';

/** What the download of a root came to. */
export interface FetchedRoot {
  /** As it is recorded now; undefined if it was removed meanwhile. */
  readonly document: TreeDocument | undefined;
  /** How long the root calls itself fresh. */
  readonly freshness: Freshness;
}

/**
 * Downloads the root of a tree by a conditional GET, and records what came of it.
 * @param former what the cache holds of it
 * @throws FetchError or FeedError if it could not be fetched
 */
export async function fetchRoot(
  ports: DownloadPorts,
  limits: ScanLimits | undefined,
  { collection: { key }, root, manifest }: TreeFetch,
  former: TreeDocument | undefined,
): Promise<FetchedRoot> {
  // A feed may link back to the root with a date of its own; what is downloaded now is in step with it.
  const wanted = { url: root, isFeed: true, lastBuildDate: former?.lastBuildDate ?? earliestDate };
  const freshness = await downloadDocument(
    ports,
    limits,
    { collection: key, manifest },
    wanted,
    former?.copy,
  );
  return { document: (await ports.store.documents.load(key, [root])).get(root), freshness };
}
