import { TooManyConflictsError } from '#feedsync';
import { FeedError, readItem } from '#feed-xml';
import type { Breach, FeedHead, Format, Fragment } from '#feed-xml';
import { CommandError, exitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { Progress } from '../terminal/progress.ts';
import { count } from '../terminal/text.ts';
import { breachLine, nameOfSource } from './breach-line.ts';
import { convertItem } from './convert-item.ts';
import type { FeedSet, MergeEffect } from './feed-set.ts';
import { scanFeed } from './scan-feed.ts';
import { openSource } from './source.ts';
import type { SourceLimits } from './source.ts';

/** What merging one feed into the set came to, in items; `rejected` says why items were left out. */
export interface FeedSummary extends Readonly<Record<MergeEffect | 'plain', number>> {
  readonly source: string;
  readonly head: FeedHead;
  readonly rejected: readonly Breach[];
}

/**
 * Reads a feed and merges its items into the set as they come; those that can't be merged are left out.
 * @param into the format that the items are converted into; absent for the local feed, whose items without sync data are put into
 *   the set as well
 * @throws CommandError (2) where the feed can't be read
 */
export async function mergeFeed(set: FeedSet, source: string, io: Io, limits: SourceLimits, into?: Format): Promise<FeedSummary> {
  const effects = { new: 0, changed: 0, unchanged: 0, plain: 0 };
  const rejected: Breach[] = [];
  const progress = new Progress(io);
  let read = 0;
  const take = (fragment: Fragment): void => {
    progress.show(`${nameOfSource(source)}: ${count((read += 1), 'item')}`);
    const reading = readItem(fragment);
    if (reading.kind === 'rejected') rejected.push(...reading.breaches.filter(({ severity }) => severity === 'error'));
    else if (reading.kind === 'plain') {
      effects.plain += 1;
      if (into === undefined) set.keep(fragment);
    } else {
      try {
        effects[set.merge(into === undefined ? reading.item : convertItem(reading.item, into))] += 1;
      } catch (error) {
        rejected.push(refusal(error, fragment));
      }
    }
  };
  try {
    return { source, head: await scanFeed(await openSource(source, io, limits), take), rejected, ...effects };
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    throw new CommandError(`cannot read ${breachLine(io, 'stderr', source, error.breach).trimEnd()}`, exitCode.unreadable, { cause: error });
  } finally {
    progress.clear();
  }
}

function refusal(error: unknown, { line, column }: Fragment): Breach {
  if (error instanceof TooManyConflictsError) return { rule: 'too-many-conflicts', section: 'FeedSync 3.3', message: error.message, severity: 'error', line, column };
  if (error instanceof FeedError) return { ...error.breach, line, column };
  throw error;
}
