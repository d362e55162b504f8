import { inSlices } from '#core';
import type { Download } from './download.ts';
import type { TreeWalk } from './tree-walk.ts';
import type { Progress } from './walk-report.ts';

/** What downloads the documents of a walk. `Ended` is what it knows of a download that has come to an end. */
export interface Downloads<Ended> {
  /** Takes on these, and begins as many downloads as its limits allow. */
  begin(downloads: readonly Download[]): Promise<void> | void;
  /** Waits, and returns what has come to an end, if anything; undefined if no more will. */
  ended(): Promise<readonly Ended[] | undefined>;
  /** Tells the walk what came of a download, and keeps or restores what the cache is to hold. */
  take(ended: Ended): Promise<void> | void;
}

/**
 * Drives a walk to its end (CSE, Sync Algorithm): what it wants is downloaded, and what comes of that decides
 * what it wants next.
 * @param tell called with the progress, again and again
 */
export async function driveWalk<Ended>(
  walk: TreeWalk,
  downloads: Downloads<Ended>,
  tell: (progress: Progress) => Promise<void> | void,
): Promise<void> {
  for (;;) {
    await downloads.begin(await inSlices(walk.next()));
    await tell(walk.progress);
    const ended = walk.isDone ? undefined : await downloads.ended();
    if (ended === undefined) return;
    for (const one of ended) {
      await downloads.take(one);
      await tell(walk.progress);
    }
  }
}
