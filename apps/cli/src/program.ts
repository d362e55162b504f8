import { Command, Option } from 'commander';
import type { ExitCode } from './command-error.ts';
import type { SyncArguments } from './commands/sync.ts';
import type { Io } from './io.ts';
import { interval, positiveNumber, positiveWhole, versionToKeep, wholeNumber } from './option-values.ts';
import { feedmeshVersion } from './version.ts';

const exitCodes = `
Exit codes:
   0  done; for validate: no breaches
   1  the feed breaks rules (validate), items were left out because they do (merge), or parts of the tree are missing (sync)
   2  a feed could not be read
   3  the service refused, or could not be reached
  64  the command line is wrong
  70  a fault of feedmesh itself
`;

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

const watchHelp = `
A lost connection is taken up again after the last change that was printed.
With -o json every line is one CloudEvent.
`;

/** The command line: what there is and how it is called. A command's own code is loaded when it is run. */
export function createProgram(io: Io, finish: (code: ExitCode) => void): Command {
  const program = new Command('feedmesh')
    .description('Keeps collections of items in step between organisations that share nothing but feeds (FeedSync 1.0.2, SSE 0.91).')
    .version(feedmeshVersion())
    .addHelpText('after', exitCodes)
    .showHelpAfterError('(feedmesh --help lists the commands, feedmesh help COMMAND explains one)')
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) });

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

  command(program, 'sync', 'mirror a tree of feeds and the documents they link to into a folder')
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
    .option('--maximum-bytes <bytes>', 'how much one run may download', positiveNumber, 10 * 1024 ** 3)
    .option('--maximum-file-bytes <bytes>', 'how long one document may be', positiveNumber, 1024 ** 3)
    .addHelpText('after', syncHelp)
    .action(async (url: string, directory: string, options: Omit<SyncArguments, 'url' | 'directory'>) => {
      const { sync } = await import('./commands/sync.ts');
      finish(await sync({ url, directory, ...options }, io));
    });

  serviceCommand(program, 'subscribe', 'subscribe a collection to a feed')
    .argument('<collection>')
    .argument('<feed>', 'the URL of the feed')
    .option('--name <name>', 'the name of the subscription; one that exists is changed (default: made from the URL)')
    .option('--interval <seconds>', 'the least and, after a comma, the most between two fetches: 60,86400', interval)
    .action(async (collection: string, feed: string, options: ServiceCommandOptions & { name?: string; interval?: { minimum: number; maximum: number } }) => {
      const { subscribe } = await import('./commands/subscribe.ts');
      finish(await subscribe({ collection, feed, ...options }, io));
    });

  serviceCommand(program, 'subscriptions', 'list the subscriptions of a collection and how they fare')
    .argument('<collection>')
    .action(async (collection: string, options: ServiceCommandOptions) => {
      const { subscriptions } = await import('./commands/subscriptions.ts');
      finish(await subscriptions({ collection, ...options }, io));
    });

  serviceCommand(program, 'ls', 'list the collections, or the items of one')
    .argument('[collection]')
    .action(async (collection: string | undefined, options: ServiceCommandOptions) => {
      const { ls } = await import('./commands/ls.ts');
      finish(await ls({ collection, ...options }, io));
    });

  serviceCommand(program, 'item', 'show an item with its history and conflicts')
    .argument('<collection>')
    .argument('<id>')
    .action(async (collection: string, id: string, options: ServiceCommandOptions) => {
      const { item } = await import('./commands/item.ts');
      finish(await item({ collection, id, ...options }, io));
    });

  serviceCommand(program, 'resolve', 'settle all conflicts of an item')
    .argument('<collection>')
    .argument('<id>')
    .requiredOption('--keep <version>', '"winner", or the number of a conflict as `item` shows it', versionToKeep)
    .option('--revision <number>', 'refuse where the item has another revision than this one by now', wholeNumber)
    .action(async (collection: string, id: string, options: ServiceCommandOptions & { keep: 'winner' | number; revision?: number }) => {
      const { resolve } = await import('./commands/resolve.ts');
      finish(await resolve({ collection, id, ...options }, io));
    });

  serviceCommand(program, 'watch', 'print the changes of a collection as they come, until Ctrl-C')
    .argument('<collection>')
    .option('--since <cursor>', 'begin after this cursor, or with "start" at the oldest change that is kept (default: only what is new)')
    .option('--retry <seconds>', 'how long to wait before a lost connection is taken up again', positiveNumber, 2)
    .addHelpText('after', watchHelp)
    .action(async (collection: string, options: ServiceCommandOptions & { since?: string; retry: number }) => {
      const { watch } = await import('./commands/watch.ts');
      finish(await watch({ collection, ...options }, io));
    });

  command(program, 'config', 'list the settings of the services, their defaults and their values').action(async (options: { output: 'text' | 'json' }) => {
    const { config } = await import('./commands/config.ts');
    finish(await config(options, io));
  });

  return program;
}

interface FeedOptions {
  readonly output: 'text' | 'json';
  readonly timeout: number;
  readonly maximumBytes: number;
}

interface ServiceCommandOptions {
  readonly output: 'text' | 'json';
  readonly url?: string;
  readonly timeout: number;
}

function command(program: Command, name: string, description: string): Command {
  return program.command(name).description(description).addOption(new Option('-o, --output <format>', 'what to print').choices(['text', 'json']).default('text'));
}

function feedCommand(program: Command, name: string, description: string): Command {
  return command(program, name, description)
    .option('--timeout <seconds>', 'how long fetching a URL may take', positiveNumber, 60)
    .option('--maximum-bytes <bytes>', 'how long a fetched feed may be', positiveNumber, 256 * 1024 * 1024);
}

function serviceCommand(program: Command, name: string, description: string): Command {
  return command(program, name, description)
    .option('--url <url>', 'where Feedmesh runs (default: FEEDMESH_URL, else http://127.0.0.1:8080)')
    .option('--timeout <seconds>', 'how long an answer may take', positiveNumber, 30);
}
