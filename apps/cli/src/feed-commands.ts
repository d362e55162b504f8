import { Option } from 'commander';
import type { Command } from 'commander';
import { addCommand, explain } from './command.ts';
import type { Surroundings } from './command.ts';
import type { SyncArguments } from './commands/sync.ts';
import { positiveNumber, positiveWhole, wholeNumber } from './option-values.ts';

const mergeHelp = `
LOCAL and INCOMING are files, URLs or - for stdin: Atom or RSS with FeedSync,
or RSS or OPML with SSE. The merged feed has the format of LOCAL. With FeedSync,
items of the other format are converted; SSE has no conversion. Feeds of
FeedSync and of SSE do not merge.

The merged feed has the head of LOCAL without its sx:sharing, which describes
the publisher's own set and would be wrong for the merged one. Items come in
the order of LOCAL, followed by new ones as they arrive. Items of LOCAL without
sync data stay as they are; those of INCOMING are left out. That is reported on
stderr, and so is every item that breaks a rule.

Outlines (OPML) are nested and ordered as the merged versions say. One that
would become its own ancestor moves to the top level and is marked as in
conflict (SSE 4.4.2). Outlines of LOCAL without sync data come last, without
their nesting.
`;

const syncHelp = `
URL is the root of a tree of feeds (Content Sync Extensions). The feeds and the
documents they link to are saved in DIRECTORY: those below the root feed's own
directory at the same path, others below _other/HOST. Links in the saved feeds
stay as they are. DIRECTORY must be empty, missing, or the mirror of URL.

A later run requests only what is newer by the dates in the feeds, and what
failed or is missing. What nothing in the tree refers to any more is deleted.
After an interrupted run, the next one completes the mirror.
`;

/** Adds the commands that need no service. */
export function addFeedCommands(program: Command, { io, finish }: Surroundings): void {
  explain(feedCommand(program, 'merge', 'merge feeds or outlines and print the result'), 'feeds', {
    details: mergeHelp,
    examples: [
      'feedmesh merge local.xml incoming.xml > merged.xml',
      'curl -s https://example.org/feed | feedmesh merge local.xml -',
    ],
    exitCodes: { 1: 'items that break rules were left out', 2: 'a feed could not be read' },
  })
    .argument('<local>', 'the feed to merge into')
    .argument('<incoming...>', 'the feeds to merge, in this order')
    .action(async (local: string, incoming: string[], options: FeedOptions) => {
      const { merge } = await import('./commands/merge.ts');
      finish(await merge({ local, incoming, ...options }, io));
    });

  explain(
    feedCommand(
      program,
      'validate',
      'list what in a feed breaks a rule, and tell what a subscription would adopt',
    ),
    'feeds',
    {
      examples: [
        'feedmesh validate feed.xml',
        'feedmesh validate https://example.org/feed.atom --strict -o json',
        'feedmesh validate http://127.0.0.1:8080/feeds/todo.atom --allow-network 127.0.0.1/32',
      ],
      details:
        'Reads Atom, RSS, JSON Feed and OPML as a subscription does, and checks the rules\n' +
        'of RFC 4287, RSS 2.0, FeedSync, SSE and CSE. Tells how many items of an ordinary\n' +
        'feed a subscription would adopt, and which it would leave out.',
      exitCodes: {
        0: 'the feed is valid',
        1: 'the feed breaks rules, or is no feed',
        2: 'the feed could not be read',
      },
    },
  )
    .argument('<source>', 'the feed: a file, a URL, or - for stdin')
    .option('--strict', 'treat warnings as errors')
    .action(async (source: string, options: FeedOptions & { strict?: boolean }) => {
      const { validate } = await import('./commands/validate.ts');
      finish(await validate({ source, ...options }, io));
    });

  explain(
    addCommand(program, 'sync', 'mirror a tree of feeds and the documents they link to into a folder'),
    'feeds',
    {
      details: syncHelp,
      examples: [
        'feedmesh sync https://example.org/root.xml mirror',
        'feedmesh sync http://10.0.0.5/root.xml mirror --allow-network 10.0.0.0/8 --on-demand',
      ],
      exitCodes: {
        1: 'parts of the tree are missing, or the run was interrupted',
        2: 'the root feed could not be read',
      },
    },
  )
    .argument('<url>', 'the URL of the root feed')
    .argument('<directory>', 'the folder to mirror into')
    .option('--on-demand', 'also download what is linked to on demand', false)
    .option('--keep', 'keep what nothing in the tree refers to any more', false)
    .addOption(allowNetworkOption())
    .option('--parallel <number>', 'how many documents to download at the same time', positiveWhole, 8)
    .option('--parallel-per-host <number>', 'how many of them to download from one host', positiveWhole, 2)
    .option('--timeout <seconds>', 'how long one document may take', positiveNumber, 600)
    .option('--maximum-depth <number>', 'how many links below the root a feed may be', wholeNumber, 32)
    .option(
      '--maximum-files <number>',
      'how many documents the tree may have, including feeds',
      positiveWhole,
      100_000,
    )
    .option(
      '--maximum-links <number>',
      'how many items and links the tree may have',
      positiveWhole,
      1_000_000,
    )
    .option('--maximum-bytes <bytes>', 'how much one run may download', positiveNumber, 10 * 1024 ** 3)
    .option('--maximum-file-bytes <bytes>', 'how large one document may be', positiveNumber, 1024 ** 3)
    .action(async (url: string, directory: string, options: Omit<SyncArguments, 'url' | 'directory'>) => {
      const { sync } = await import('./commands/sync.ts');
      finish(await sync({ url, directory, ...options }, io));
    });
}

interface FeedOptions {
  readonly output: 'text' | 'json';
  readonly timeout: number;
  readonly maximumBytes: number;
  readonly allowNetwork: readonly string[];
}

function feedCommand(program: Command, name: string, description: string): Command {
  return addCommand(program, name, description)
    .option('--timeout <seconds>', 'how long fetching a URL may take', positiveNumber, 60)
    .option('--maximum-bytes <bytes>', 'how large a fetched feed may be', positiveNumber, 256 * 1024 * 1024)
    .addOption(allowNetworkOption());
}

function allowNetworkOption(): Option {
  return new Option(
    '--allow-network <cidr>',
    'a network that may be reached although it is not public; can be repeated',
  )
    .argParser((network: string, others: string[]) => [...others, network])
    .default([]);
}
