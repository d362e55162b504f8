import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { JobQueue, Clock } from '#core';
import { awaitBacklog } from '../backlog.ts';
import { feedSignature } from './feed-signature.ts';
import type { TreeCache } from './tree-cache.ts';
import { jobOf } from './tree-fetch.ts';
import type { TreeFetch } from './tree-fetch.ts';
import type { TreeReference } from './tree-references.ts';

/** A feed whose items are to be brought in step with what the cache holds. */
export interface FeedToMirror {
  readonly url: string;
  /** What they are in step with afterwards. */
  readonly merged: string;
}

/**
 * The feeds of a tree whose items are not in step with the cache; those of deeper levels first, so that a
 * feed is there before it is linked to.
 */
export async function feedsToMirror(
  root: string,
  { documents, feeds }: TreeCache,
  references: ReadonlyMap<string, TreeReference>,
): Promise<FeedToMirror[]> {
  const copyOf = (url: string) => documents.get(url)?.copy;
  const changed: FeedToMirror[] = [];
  for (const { url } of [...references.values()].filter(({ isFeed }) => isFeed).toReversed()) {
    const [document, feed] = [documents.get(url), feeds.get(url)];
    if (document?.copy?.isFeed !== true || feed === undefined) continue;
    const merged = await feedSignature(root, document.copy, feed, copyOf);
    if (merged !== document.merged) changed.push({ url, merged });
    await yieldToEventLoop();
  }
  return changed;
}

/**
 * Sends a job for each feed, numbered in this order, while fewer than `backlog` of them wait.
 * @param heartbeat called while the mergers are behind
 */
export async function sendMirrorJobs(
  ports: { readonly queue: JobQueue; readonly clock: Clock },
  fetch: TreeFetch,
  feeds: readonly FeedToMirror[],
  backlog: number,
  heartbeat: () => Promise<void>,
): Promise<void> {
  for (const [batch, feed] of feeds.entries()) {
    await awaitBacklog(ports, 'mirror', backlog, heartbeat);
    await heartbeat();
    await ports.queue.send([{ queue: 'mirror', data: { ...jobOf(fetch), batch, ...feed } }]);
  }
}
