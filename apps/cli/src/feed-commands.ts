import type { Command } from 'commander';
import { addCommand } from './command.ts';
import type { Surroundings } from './command.ts';
import type { SyncArguments } from './commands/sync.ts';
import { positiveNumber, positiveWhole, wholeNumber } from './option-values.ts';

const mergeHelp = `
LOCAL and INCOMING are files, URLs or - for stdin: Atom or RSS with FeedSync,
or RSS or OPML with SSE. The merged feed has the format of LOCAL. With FeedSync
items of the other format are converted into it; SSE has no conversion. Feeds
of FeedSync and of SSE do not merge.

The merged feed has the head of LOCAL without its sx:sharing, which speaks of
the publisher's own set and would be wrong for the merged one. Items come in
the order of LOCAL, new ones after them as they arrive. Items of LOCAL without
sync data stay as they are; those of INCOMING are left out, which is said on
stderr, as is every item that breaks a rule.

Outlines (OPML) are nested and ordered as the merged versions say. One that
would have become its own ancestor comes to the root and is marked as in
conflict (SSE 4.4.2). Outlines of LOCAL without sync data come last, each by
itself.
`;

const syncHelp = `
URL is the root of a tree of feeds (Content Sync Extensions). The feeds and the
documents they link to are saved in DIRECTORY: those below the root feed's own
directory at the same place, others below _other/HOST. Links in the saved feeds
stay as they are. DIRECTORY is empty, not there yet, or the mirror of URL.

A later run asks only for what the dates in the feeds say is newer, and for what
failed or is missing. What nothing in the tree refers to any more is deleted. A
run that was broken off at any point is made good by the next one.
`;

/** Adds the commands that need no service. */
export function addFeedCommands(program: Command, { io, finish }: Surroundings): void {
  feedCommand(program, 'merge', 'merge feeds or outlines and print the result')
    .argument('<local>', 'the feed to merge into')
    .argument('<incoming...>', 'the feeds to merge, in this order')
    .addHelpText('after', mergeHelp)
    .action(async (local: string, incoming: string[], options: FeedOptions) => {
      const { merge } = await import('./commands/merge.ts');
      finish(await merge({ local, incoming, ...options }, io));
    });

  feedCommand(program, 'validate', 'list every breach of a feed or outline, with its rule and place')
    .argument('<feed>', 'a file, a URL, or - for stdin')
    .option('--strict', 'warnings count as breaches')
    .action(async (source: string, options: FeedOptions & { strict?: boolean }) => {
      const { validate } = await import('./commands/validate.ts');
      finish(await validate({ source, ...options }, io));
    });

  addCommand(program, 'sync', 'mirror a tree of feeds and the documents they link to into a folder')
    .argument('<url>', 'the URL of the root feed')
    .argument('<directory>', 'where to')
    .option('--on-demand', 'download also what is linked to on demand', false)
    .option('--keep', 'leave what nothing in the tree refers to any more', false)
    .option('--allow-network <cidr>', 'a network that may be reached although it is not public; may be given again', (network: string, others: string[]) => [...others, network], [])
    .option('--parallel <number>', 'how many documents to download at the same time', positiveWhole, 8)
    .option('--parallel-per-host <number>', 'how many of them from one host', positiveWhole, 2)
    .option('--timeout <seconds>', 'how long one document may take', positiveNumber, 600)
    .option('--maximum-depth <number>', 'how many links below the root a feed may be', wholeNumber, 32)
    .option('--maximum-files <number>', 'how many documents the tree may have, feeds among them', positiveWhole, 100_000)
    .option('--maximum-links <number>', 'how many items and links all feeds of the tree may have together', positiveWhole, 1_000_000)
    .option('--maximum-bytes <bytes>', 'how much one run may download', positiveNumber, 10 * 1024 ** 3)
    .option('--maximum-file-bytes <bytes>', 'how long one document may be', positiveNumber, 1024 ** 3)
    .addHelpText('after', syncHelp)
    .action(async (url: string, directory: string, options: Omit<SyncArguments, 'url' | 'directory'>) => {
      const { sync } = await import('./commands/sync.ts');
      finish(await sync({ url, directory, ...options }, io));
    });
}

interface FeedOptions {
  readonly output: 'text' | 'json';
  readonly timeout: number;
  readonly maximumBytes: number;
}

function feedCommand(program: Command, name: string, description: string): Command {
  return addCommand(program, name, description)
    .option('--timeout <seconds>', 'how long fetching a URL may take', positiveNumber, 60)
    .option('--maximum-bytes <bytes>', 'how long a fetched feed may be', positiveNumber, 256 * 1024 * 1024);
}
