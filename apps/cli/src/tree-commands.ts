import { Option } from 'commander';
import type { Command } from 'commander';
import type { Surroundings } from './command.ts';
import { positiveWhole, wholeNumber } from './option-values.ts';
import type { TreeBounds } from './service/read-tree.ts';
import { serviceCommand } from './service-command.ts';
import type { ServiceCommandOptions } from './service-command.ts';

const treeHelp = `
Each item is shown with its id, its title and its links under their numbers;
the items of a nested feed follow below the link to it. A link is cached, stale
(the copy is older than the tree says), on demand, failed or waiting; elsewhere
is what is not followed. What a mirror could not fetch comes last.
With -o json: {feeds, failed}; a feed comes before those nested in it.
`;

/** Adds the commands for trees of feeds (CSE). */
export function addTreeCommands(program: Command, { io, finish }: Surroundings): void {
  serviceCommand(program, 'tree', 'show a tree of feeds with the state of everything in it', 'trees', {
    details: treeHelp,
    examples: ['feedmesh tree news', 'feedmesh tree news today --depth 1'],
  })
    .argument('<collection>', 'the name of the collection')
    .argument('[feed]', 'the id of the feed to begin at', 'root')
    .addOption(
      new Option('--depth <number>', 'how many levels of nested feeds to show below it')
        .argParser(wholeNumber)
        .default(Infinity, 'all'),
    )
    .option('--maximum-feeds <number>', 'how many feeds to show', positiveWhole, 10_000)
    .action(async (collection: string, feed: string, options: ServiceCommandOptions & TreeBounds) => {
      const { tree } = await import('./commands/tree.ts');
      finish(await tree({ collection, feed, ...options }, io));
    });

  serviceCommand(
    program,
    'fetch',
    'fetch what a link of a mirror refers to on demand, and wait for it',
    'trees',
    {
      examples: ['feedmesh fetch mirror root:bridge 1'],
      exitCodes: {
        1: 'it could not be fetched, or the wait was interrupted',
        2: 'the tree could not be fetched',
      },
    },
  )
    .argument('<collection>', 'the name of the collection')
    .argument('<item>', 'the id of the item')
    .argument(
      '<number>',
      'the number of the link in it, from 0, as `feedmesh item` and `feedmesh tree` show it',
      wholeNumber,
    )
    .action(async (collection: string, item: string, number: number, options: ServiceCommandOptions) => {
      const { fetchLink } = await import('./commands/fetch.ts');
      finish(await fetchLink({ collection, item, number, ...options }, io));
    });
}
