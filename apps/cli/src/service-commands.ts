import { Option } from 'commander';
import type { Command } from 'commander';
import { addCommand } from './command.ts';
import type { Surroundings } from './command.ts';
import type { SubscribeArguments } from './commands/subscribe.ts';
import { interval, positiveNumber, positiveWhole, versionToKeep, wholeNumber } from './option-values.ts';
import type { TreeBounds } from './service/read-tree.ts';

const treeHelp = `
Each item stands with its id, its title and its links under their numbers; the
items of a nested feed stand below the link to it. A link is cached, stale (the
copy is of an earlier date than the tree says), on demand, failed or waiting;
elsewhere is what is not followed. What of a mirror could not be had comes last.
With -o json: {feeds, failed}; a feed comes before those nested in it.
`;

const watchHelp = `
A lost connection is taken up again after the last change that was printed.
On a terminal a bar shows the progress of a walk through a tree of feeds.
With -o json every line is one CloudEvent.
`;

/** Adds the commands that ask a running Feedmesh. */
export function addServiceCommands(program: Command, { io, finish }: Surroundings): void {
  serviceCommand(program, 'subscribe', 'subscribe a collection to a feed')
    .argument('<collection>')
    .argument('<feed>', 'the URL of the feed')
    .option('--name <name>', 'the name of the subscription; one that exists is changed (default: made from the URL)')
    .option('--interval <seconds>', 'the least and, after a comma, the most between two fetches: 60,86400', interval)
    .option('--wait', 'wait until the feed has been fetched for the first time, and end as that went', false)
    .action(async (collection: string, feed: string, options: ServiceCommandOptions & Pick<SubscribeArguments, 'name' | 'interval' | 'wait'>) => {
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

  serviceCommand(program, 'item', 'show an item with its history and conflicts, or with its links')
    .argument('<collection>')
    .argument('<id>')
    .action(async (collection: string, id: string, options: ServiceCommandOptions) => {
      const { item } = await import('./commands/item.ts');
      finish(await item({ collection, id, ...options }, io));
    });

  serviceCommand(program, 'tree', 'show a tree of feeds with the state of everything in it')
    .argument('<collection>')
    .argument('[feed]', 'the id of the feed to begin at', 'root')
    .addOption(new Option('--depth <number>', 'how many levels of nested feeds to show below it').argParser(wholeNumber).default(Infinity, 'all'))
    .option('--maximum-feeds <number>', 'how many feeds to show', positiveWhole, 10_000)
    .addHelpText('after', treeHelp)
    .action(async (collection: string, feed: string, options: ServiceCommandOptions & TreeBounds) => {
      const { tree } = await import('./commands/tree.ts');
      finish(await tree({ collection, feed, ...options }, io));
    });

  serviceCommand(program, 'fetch', 'fetch what a link of a mirrored tree refers to on demand, and wait until it is there')
    .argument('<collection>')
    .argument('<item>', 'the id of the item')
    .argument('<number>', 'of the link in it, from 0, as `item` and `tree` show it', wholeNumber)
    .action(async (collection: string, item: string, number: number, options: ServiceCommandOptions) => {
      const { fetchLink } = await import('./commands/fetch.ts');
      finish(await fetchLink({ collection, item, number, ...options }, io));
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
}

interface ServiceCommandOptions {
  readonly output: 'text' | 'json';
  readonly url?: string;
  readonly timeout: number;
}

function serviceCommand(program: Command, name: string, description: string): Command {
  return addCommand(program, name, description)
    .option('--url <url>', 'where Feedmesh runs (default: FEEDMESH_URL, else http://127.0.0.1:8080)')
    .option('--timeout <seconds>', 'how long an answer may take', positiveNumber, 30);
}
