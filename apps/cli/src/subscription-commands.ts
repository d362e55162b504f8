import type { Command } from 'commander';
import type { CommandHelp, Surroundings } from './command.ts';
import type { SubscribeArguments } from './commands/subscribe.ts';
import { adoption, interval } from './option-values.ts';
import { serviceCommand } from './service-command.ts';
import type { ServiceCommandOptions } from './service-command.ts';

const subscribeHelp = `
A collection subscribes to each feed once. If it reads the feed already, the
command says under which name, and changes nothing but a given --interval and
--credentials.

--credentials takes a file with JSON, so that no secret is in the command line:

  { "kind": "basic", "username": "ann", "password": "…" }
  { "kind": "bearer", "token": "…" }
  { "kind": "headers", "headers": { "X-Api-Key": "…" } }
  null                               removes those that there are

They are sent to the origin of the URL alone, and stored encrypted.

Items without synchronisation data, those of ordinary feeds, are adopted unless
the feed says that it is synchronised (--adopt auto).
`;

const waitCodes = {
  1: 'some of the feed was left out, or the wait was interrupted (--wait)',
  2: 'the feed could not be fetched (--wait)',
};

/** Adds the commands for subscriptions. */
export function addSubscriptionCommands(program: Command, { io, finish }: Surroundings): void {
  serviceCommand(program, 'subscribe', 'subscribe a collection to a feed', 'subscriptions', {
    details: subscribeHelp,
    examples: [
      'feedmesh subscribe copy https://example.org/feeds/todo.atom --name todo',
      'feedmesh subscribe copy https://example.org/feeds/todo.atom --interval 60,3600 --wait',
    ],
    exitCodes: waitCodes,
  })
    .argument('<collection>', 'the name of the collection')
    .argument('<url>', 'the URL of the feed')
    .option(
      '--name <name>',
      'the name of the subscription; an existing one is changed (default: made from the URL)',
    )
    .option(
      '--interval <seconds>',
      'the least and, after a comma, the most between two fetches: 60,86400',
      interval,
    )
    .option('--adopt <when>', 'adopt items without synchronisation data: yes, no or auto', adoption)
    .option('--adopted-as <identifier>', 'the endpoint identifier to adopt them under')
    .option('--credentials <file>', 'a file with the credentials for the feed; - for stdin')
    .option('--wait', 'wait until the feed has been fetched for the first time', false)
    .action(
      async (
        collection: string,
        feed: string,
        options: ServiceCommandOptions &
          Pick<SubscribeArguments, 'name' | 'interval' | 'adopt' | 'adoptedAs' | 'credentials' | 'wait'>,
      ) => {
        const { subscribe } = await import('./commands/subscribe.ts');
        finish(await subscribe({ collection, feed, ...options }, io));
      },
    );

  serviceCommand(
    program,
    'subscriptions',
    'list the subscriptions of a collection and their last fetches',
    'subscriptions',
    {
      examples: ['feedmesh subscriptions copy'],
    },
  )
    .argument('<collection>', 'the name of the collection')
    .action(async (collection: string, options: ServiceCommandOptions) => {
      const { subscriptions } = await import('./commands/subscriptions.ts');
      finish(await subscriptions({ collection, ...options }, io));
    });

  subscriptionCommand(program, 'unsubscribe', 'end a subscription; its items stay').action(
    async (collection: string, subscription: string, options: ServiceCommandOptions) => {
      const { unsubscribe } = await import('./commands/unsubscribe.ts');
      finish(await unsubscribe({ collection, subscription, ...options }, io));
    },
  );

  fetchCommand(program, 'refresh', 'fetch the feed of a subscription now').action(
    async (collection: string, subscription: string, options: FetchOptions) => {
      const { refresh } = await import('./commands/refresh.ts');
      finish(await refresh({ collection, subscription, ...options }, io));
    },
  );

  subscriptionCommand(program, 'pause', 'stop fetching a subscription until it is resumed').action(
    async (collection: string, subscription: string, options: ServiceCommandOptions) => {
      const { pause } = await import('./commands/pause.ts');
      finish(await pause({ collection, subscription, ...options }, io));
    },
  );

  fetchCommand(program, 'resume', 'resume a paused subscription and fetch its feed now').action(
    async (collection: string, subscription: string, options: FetchOptions) => {
      const { resume } = await import('./commands/resume.ts');
      finish(await resume({ collection, subscription, ...options }, io));
    },
  );
}

interface FetchOptions extends ServiceCommandOptions {
  readonly wait: boolean;
}

/** Adds a command about one subscription. */
function subscriptionCommand(
  program: Command,
  name: string,
  description: string,
  help: Omit<CommandHelp, 'examples'> = {},
): Command {
  const example = `feedmesh ${name} copy todo`;
  const isWaiting = help.exitCodes !== undefined;
  return serviceCommand(program, name, description, 'subscriptions', {
    ...help,
    examples: isWaiting ? [example, `${example} --wait`] : [example],
  })
    .argument('<collection>', 'the name of the collection')
    .argument('<subscription>', 'the name of the subscription');
}

/** Adds a command that has the feed of a subscription fetched. */
function fetchCommand(program: Command, name: string, description: string): Command {
  return subscriptionCommand(program, name, description, { exitCodes: waitCodes }).option(
    '--wait',
    'wait until the feed has been fetched',
    false,
  );
}
