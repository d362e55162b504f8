import { writeFeedEnd, writeFeedStart, writeItem } from '#feed-xml';
import { CommandError, exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import { breachLine, nameOfSource } from '../feed/breach-line.ts';
import { neededData } from '../feed/convert-item.ts';
import { FeedSet, isItem } from '../feed/feed-set.ts';
import { itemJson } from '#items';
import { mergeFeed } from '../feed/merge-feed.ts';
import type { FeedSummary } from '../feed/merge-feed.ts';
import type { SourceLimits } from '../feed/source.ts';
import type { Io } from '../io.ts';
import { Output } from '../terminal/output.ts';
import { count } from '../terminal/text.ts';

export interface MergeArguments extends SourceLimits {
  readonly local: string;
  readonly incoming: readonly string[];
  readonly output: 'text' | 'json';
}

/**
 * Merges feeds in order (FeedSync 3.3) and prints the result in the format of the local one; items of the other format are
 * converted. All are read before anything is printed. Answers `breaches` where items were left out because they break a rule.
 * @throws CommandError (2) where a feed can't be read
 */
export async function merge({ local: localSource, incoming, output, ...limits }: MergeArguments, io: Io): Promise<ExitCode> {
  if ([localSource, ...incoming].filter((source) => source === '-').length > 1)
    throw new CommandError('only one of the feeds can be stdin (-)', exitCode.usage);
  const set = new FeedSet();
  const local = await mergeFeed(set, localSource, io, limits);
  const feeds = [local];
  for (const source of incoming) {
    const feed = await mergeFeed(set, source, io, limits, local.head.format);
    if (feed.plain > 0) io.stderr.write(`${nameOfSource(source)}: ${count(feed.plain, 'item')} without sync data left out\n`);
    feeds.push(feed);
  }
  for (const { source, rejected } of feeds) for (const breach of rejected) io.stderr.write(breachLine(io, 'stderr', source, breach));
  await (output === 'json' ? printJson(set, feeds, local, io) : printFeed(set, local, io));
  return feeds.some(({ rejected }) => rejected.length > 0) ? exitCode.breaches : exitCode.done;
}

/** The merged feed under the head of the local one, but for `sx:sharing`, which is true of the publisher's set alone (2.2). */
async function printFeed(set: FeedSet, local: FeedSummary, io: Io): Promise<void> {
  const head = { ...local.head, sharing: undefined };
  const output = new Output(io.stdout);
  await output.write(`${writeFeedStart(head)}\n`);
  for (const member of set.members) await output.write(`${isItem(member) ? writeItem(member, neededData(member, head.title ?? '')) : member.xml}\n`);
  await output.write(`${writeFeedEnd(head.format)}\n`);
  await output.flush();
}

async function printJson(set: FeedSet, feeds: readonly FeedSummary[], local: FeedSummary, io: Io): Promise<void> {
  const { format, title } = local.head;
  const items = set.members.filter(isItem);
  const summary = {
    format,
    title,
    itemCount: items.length,
    itemsInConflict: items.filter(({ conflicts }) => conflicts.length > 0).length,
    feeds: feeds.map((feed) => ({ ...feed, head: undefined })),
  };
  const output = new Output(io.stdout);
  await output.write(`${JSON.stringify(summary).slice(0, -1)},"items":[`);
  for (const [index, item] of items.entries()) await output.write(`${index === 0 ? '\n' : ',\n'}${JSON.stringify(itemJson(item))}`);
  await output.write('\n]}\n');
  await output.flush();
}
