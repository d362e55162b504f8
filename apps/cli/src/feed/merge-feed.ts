import { FeedError } from '#xml';
import type { Violation, FeedHead, Fragment } from '#xml';
import type { MergedFeed, SharingProtocol, Taken } from '#protocol';
import { CommandError, exitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { Progress } from '../terminal/progress.ts';
import { count } from '../terminal/text.ts';
import { violationLine, nameOfSource } from './violation-line.ts';
import { scanFeed } from './scan-feed.ts';
import { openSource } from './source.ts';
import type { SourceLimits } from './source.ts';

/** What merging one feed came to, in items; `rejected` says why items were left out. */
export interface FeedSummary extends Readonly<Record<'new' | 'changed' | 'unchanged' | 'plain', number>> {
  readonly source: string;
  readonly head: FeedHead;
  readonly rejected: readonly Violation[];
}

/** The local feed, and what it and the others merge into. */
export interface LocalFeed {
  readonly protocol: SharingProtocol;
  readonly merged: MergedFeed;
  readonly summary: FeedSummary;
}

/**
 * Reads the local feed, which decides the protocol and the format of the merged one.
 * @throws CommandError (2) if the feed can't be read
 */
export async function readLocalFeed(source: string, io: Io, limits: SourceLimits): Promise<LocalFeed> {
  let local: Omit<LocalFeed, 'summary'> | undefined;
  const summary = await mergeItems(source, io, limits, (protocol) => {
    local = { protocol, merged: protocol.mergeFeeds() };
    return local.merged;
  });
  if (local === undefined) throw new Error(`The protocol of ${source} was not found.`);
  return { ...local, summary };
}

/**
 * Reads a feed and merges its items into those of the local one as they come; those that can't be merged are
 * left out.
 * @throws CommandError (2) if the feed can't be read, has another protocol than the local one, or with
 *   SSE another format
 */
export async function mergeFeed(
  { protocol: wanted, merged, summary: local }: LocalFeed,
  source: string,
  io: Io,
  limits: SourceLimits,
): Promise<FeedSummary> {
  const refuse = (found: string, needed: string): never => {
    throw new CommandError(
      `cannot merge ${nameOfSource(source)}, which has ${found}, into ${nameOfSource(local.source)}, ` +
        `which has ${needed}`,
      exitCode.unreadable,
    );
  };
  const summary = await mergeItems(source, io, limits, (protocol) =>
    protocol === wanted ? merged : refuse(`items of ${protocol.title}`, `items of ${wanted.title}`),
  );
  const { format } = summary.head;
  return wanted.publishedFormats(local.head.format).includes(format)
    ? summary
    : refuse(`the format ${format}`, `the format ${local.head.format}`);
}

async function mergeItems(
  source: string,
  io: Io,
  limits: SourceLimits,
  into: (protocol: SharingProtocol) => MergedFeed,
): Promise<FeedSummary> {
  const effects = { new: 0, changed: 0, unchanged: 0, plain: 0 };
  const rejected: Violation[] = [];
  const progress = new Progress(io);
  let read = 0;
  const record = (taken: Taken): void => {
    if (taken.kind === 'rejected')
      rejected.push(...taken.violations.filter(({ severity }) => severity === 'error'));
    else effects[taken.kind] += 1;
  };
  const takeInto =
    (merged: MergedFeed) =>
    (fragment: Fragment): void => {
      progress.show(`${nameOfSource(source)}: ${count((read += 1), 'item')}`);
      const taken = merged.take(fragment);
      if (taken !== undefined) record(taken);
    };
  let merged: MergedFeed | undefined;
  try {
    const head = await scanFeed(await openSource(source, io, limits), (protocol) =>
      takeInto((merged = into(protocol))),
    );
    for (const taken of merged?.end(head) ?? []) record(taken);
    return { source, head, rejected, ...effects };
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    throw new CommandError(
      `cannot read ${violationLine(io, 'stderr', source, error.violation).trimEnd()}`,
      exitCode.unreadable,
      { cause: error },
    );
  } finally {
    progress.clear();
  }
}
