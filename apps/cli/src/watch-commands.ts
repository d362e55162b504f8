import { Option } from 'commander';
import type { Command } from 'commander';
import type { CommandHelp, Surroundings } from './command.ts';
import { serviceCommand } from './service-command.ts';
import type { ServiceCommandOptions } from './service-command.ts';
import type { SubscriptionFilter } from './service/subscription-filter.ts';

/** What a command that awaits a fetch ends with. */
export const waitCodes = {
  1: 'some of the feed was left out, or the wait was interrupted (--wait)',
  2: 'the feed could not be fetched (--wait)',
};

type FilterOptions = ServiceCommandOptions & Pick<SubscriptionFilter, 'state' | 'cause'>;
type ManyOptions = FilterOptions & { readonly all: boolean };
type FetchOptions = ManyOptions & { readonly wait: boolean };

const states = ['ok', 'slow', 'late', 'failing', 'gone', 'paused', 'new'];

const feedsHelp = `
States: ok, slow (its server is), late (due for longer than
GATEWAY_LATE_SECONDS and not fetched), failing (the last fetch failed),
gone (410), paused, new (not yet fetched).

Causes of failures: dns, refused, tls, connection, timeout, slow, redirects,
address, credentials, too-large, invalid-feed, no-feed, duplicate, robots,
interrupted, and http- with the status, such as http-404.
`;

const manyHelp = `
Without a subscription those that --state and --cause say are meant, of the
collection or of all; --all means every one. That is one request, however many
there are, and it is safe to repeat.
`;

/** Adds the commands that show how subscriptions are, and those that change one or many of them. */
export function addWatchCommands(program: Command, { io, finish }: Surroundings): void {
  withFilter(
    serviceCommand(program, 'feeds', 'list how subscriptions are, by state and cause', 'subscriptions', {
      details: feedsHelp,
      examples: [
        'feedmesh feeds --count',
        'feedmesh feeds news --state late',
        'feedmesh feeds --state failing --cause timeout -o json',
      ],
    }).argument('[collection]', 'the name of the collection (default: all)'),
  )
    .option('--count', 'only how many there are, by state and cause', false)
    .action(async (collection: string | undefined, options: FilterOptions & { count: boolean }) => {
      const { feeds } = await import('./commands/feeds.ts');
      finish(await feeds({ ...(collection !== undefined && { collection }), ...options }, io));
    });

  fetchCommand(program, 'refresh', 'fetch a feed now, or many soon').action(
    async (collection: string | undefined, subscription: string | undefined, options: FetchOptions) => {
      const { refresh } = await import('./commands/refresh.ts');
      finish(await refresh({ ...named(collection, subscription), ...options }, io));
    },
  );

  manyCommand(program, 'pause', 'stop fetching feeds until they are resumed').action(
    async (collection: string | undefined, subscription: string | undefined, options: ManyOptions) => {
      const { pause } = await import('./commands/pause.ts');
      finish(await pause({ ...named(collection, subscription), ...options }, io));
    },
  );

  fetchCommand(program, 'resume', 'resume what is paused, and fetch it').action(
    async (collection: string | undefined, subscription: string | undefined, options: FetchOptions) => {
      const { resume } = await import('./commands/resume.ts');
      finish(await resume({ ...named(collection, subscription), ...options }, io));
    },
  );
}

function named(collection: string | undefined, subscription: string | undefined) {
  return {
    ...(collection !== undefined && { collection }),
    ...(subscription !== undefined && { subscription }),
  };
}

function withFilter(command: Command): Command {
  return command
    .addOption(new Option('--state <state>', 'only those in this state').choices(states))
    .option('--cause <cause>', 'only those whose last fetch failed by this cause');
}

/** Adds a command about one subscription, or those of a filter. */
function manyCommand(
  program: Command,
  name: string,
  description: string,
  help: Omit<CommandHelp, 'examples' | 'details'> = {},
): Command {
  const one = `feedmesh ${name} copy todo`;
  const state = name === 'resume' ? 'paused' : 'failing';
  const command = serviceCommand(program, name, description, 'subscriptions', {
    ...help,
    details: manyHelp,
    examples: [
      one,
      ...(help.exitCodes === undefined ? [] : [`${one} --wait`]),
      `feedmesh ${name} copy --all`,
      `feedmesh ${name} --state ${state} --cause timeout`,
    ],
  })
    .argument('[collection]', 'the name of the collection (default: all)')
    .argument('[subscription]', 'the name of the subscription');
  return withFilter(command).option('--all', 'every one', false);
}

/** Adds a command that has feeds fetched. */
function fetchCommand(program: Command, name: string, description: string): Command {
  return manyCommand(program, name, description, { exitCodes: waitCodes }).option(
    '--wait',
    'wait until the feed of one subscription has been fetched',
    false,
  );
}
