import { writeFeedEnd, writeFeedStart } from '#xml';
import { CommandError, exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import { violationLine, nameOfSource } from '../feed/violation-line.ts';
import { mergeFeed, readLocalFeed } from '../feed/merge-feed.ts';
import type { FeedSummary, LocalFeed } from '../feed/merge-feed.ts';
import type { SourceLimits } from '../feed/source.ts';
import type { Io } from '../io.ts';
import { Output } from '../terminal/output.ts';
import { count } from '../terminal/text.ts';

interface MergeArguments extends SourceLimits {
  readonly local: string;
  readonly incoming: readonly string[];
  readonly output: 'text' | 'json';
}

/**
 * Merges feeds in order (FeedSync 3.3, SSE 4.4) and prints the result in the format of the local one; with
 * FeedSync items of the other format are converted. All are read before anything is printed. Returns
 * `violations` if items were left out because they break a rule.
 * @throws CommandError (2) if a feed can't be read, or can't be merged into the local one at all
 */
export async function merge(
  { local: localSource, incoming, output, ...limits }: MergeArguments,
  io: Io,
): Promise<ExitCode> {
  if ([localSource, ...incoming].filter((source) => source === '-').length > 1)
    throw new CommandError('only one of the feeds can be stdin (-)', exitCode.usage);
  const local = await readLocalFeed(localSource, io, limits);
  const feeds = [local.summary];
  for (const source of incoming) {
    const feed = await mergeFeed(local, source, io, limits);
    if (feed.plain > 0)
      io.stderr.write(`${nameOfSource(source)}: ${count(feed.plain, 'item')} without sync data left out\n`);
    feeds.push(feed);
  }
  for (const { source, rejected } of feeds)
    for (const violation of rejected) io.stderr.write(violationLine(io, 'stderr', source, violation));
  await (output === 'json' ? printJson(local, feeds, io) : printFeed(local, io));
  return feeds.some(({ rejected }) => rejected.length > 0) ? exitCode.violations : exitCode.done;
}

/**
 * The merged feed under the head of the local one, but for `sx:sharing`, which is true of the publisher's set
 * alone (FeedSync 2.2, SSE 2.1).
 */
async function printFeed({ protocol, merged, summary }: LocalFeed, io: Io): Promise<void> {
  const head = { ...summary.head, sharing: undefined };
  const output = new Output(io.stdout);
  await output.write(`${writeFeedStart(head, protocol.dialect)}\n`);
  for (const text of merged.write(head)) await output.write(text);
  await output.write(`${writeFeedEnd(head.format)}\n`);
  await output.flush();
}

async function printJson(
  {
    protocol,
    merged: { items },
    summary: {
      head: { format, title },
    },
  }: LocalFeed,
  feeds: readonly FeedSummary[],
  io: Io,
): Promise<void> {
  const summary = {
    format,
    title,
    itemCount: items.length,
    itemsInConflict: items.filter((item) => protocol.summary(item).conflictCount > 0).length,
    feeds: feeds.map((feed) => ({ ...feed, head: undefined })),
  };
  const output = new Output(io.stdout);
  await output.write(`${JSON.stringify(summary).slice(0, -1)},"items":[`);
  for (const [index, item] of items.entries())
    await output.write(`${index === 0 ? '\n' : ',\n'}${JSON.stringify(protocol.json(item))}`);
  await output.write('\n]}\n');
  await output.flush();
}
