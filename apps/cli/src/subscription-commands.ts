import { Option } from 'commander';
import type { Command } from 'commander';
import type { Surroundings } from './command.ts';
import type { PreviewArguments } from './commands/preview.ts';
import type { SubscribeArguments } from './commands/subscribe.ts';
import { adoption, interval, positiveWhole } from './option-values.ts';
import { serviceCommand } from './service-command.ts';
import type { ServiceCommandOptions } from './service-command.ts';
import { addWatchCommands, waitCodes } from './watch-commands.ts';

const subscribeHelp = `
A collection subscribes to each feed once. If it reads the feed already, the
command says under which name, and changes nothing but a given --interval,
--user-agent, --accept-language, --cookie and --credentials.

--credentials takes a file with JSON, so that no secret is in the command line:

  { "kind": "basic", "username": "ann", "password": "…" }
  { "kind": "bearer", "token": "…" }
  { "kind": "headers", "headers": { "X-Api-Key": "…" } }
  null                               removes those that there are

They are sent to the origin of the URL alone, and stored encrypted. So are
cookies; --cookie takes a file with them: name=value; name=value

If a host refuses Feedmesh (403), set another --user-agent, an --accept-language
or a --cookie, also for an existing subscription. An empty --user-agent or
--accept-language removes the one that was set.

With --discover the fetcher reads the page, unless the robots.txt of its site
forbids that, and takes the first feed that it names.

Items without synchronisation data, those of ordinary feeds, are adopted unless
the feed says that it is synchronised (--adopt auto).
`;

const previewHelp = `
The fetchers read the feed, with the limits of any fetch, and store nothing.
Each line has the date, the title and the link of an item, with tabs between.
`;

/** Adds the commands for subscriptions. */
export function addSubscriptionCommands(program: Command, { io, finish }: Surroundings): void {
  serviceCommand(program, 'subscribe', 'subscribe a collection to a feed', 'subscriptions', {
    details: subscribeHelp,
    examples: [
      'feedmesh subscribe copy https://example.org/feeds/todo.atom --name todo',
      'feedmesh subscribe copy https://example.org/feeds/todo.atom --interval 60,3600 --wait',
      'feedmesh subscribe news https://example.org/blog/ --discover --wait',
      "feedmesh subscribe news https://example.org/de.rss --accept-language 'de, en;q=0.5'",
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
    .option('--discover', 'if the URL is that of a web page, subscribe to the feed that it names')
    .option('--adopt <when>', 'adopt items without synchronisation data: yes, no or auto', adoption)
    .option('--adopted-as <identifier>', 'the endpoint identifier to adopt them under')
    .option('--user-agent <text>', 'what requests send as User-Agent')
    .option('--accept-language <ranges>', 'what requests send as Accept-Language')
    .addOption(
      new Option('--cookie <file>', 'a file with cookies for the feed; - for stdin').conflicts('credentials'),
    )
    .option('--credentials <file>', 'a file with the credentials for the feed; - for stdin')
    .option('--wait', 'wait until the feed has been fetched for the first time', false)
    .action(
      async (
        collection: string,
        feed: string,
        options: ServiceCommandOptions &
          Pick<
            SubscribeArguments,
            | 'name'
            | 'interval'
            | 'discover'
            | 'adopt'
            | 'adoptedAs'
            | 'userAgent'
            | 'acceptLanguage'
            | 'cookie'
            | 'credentials'
            | 'wait'
          >,
      ) => {
        const { subscribe } = await import('./commands/subscribe.ts');
        finish(await subscribe({ collection, feed, ...options }, io));
      },
    );

  serviceCommand(program, 'preview', 'show what a subscription to a feed would bring', 'subscriptions', {
    details: previewHelp,
    examples: ['feedmesh preview https://example.org/feed', 'feedmesh preview https://example.org/ -o json'],
    exitCodes: { 2: 'the feed could not be read' },
  })
    .argument('<feed>', 'the URL of the feed, or of a web page that names it')
    .option('--limit <number>', 'how many items to show, up to 200', positiveWhole, 50)
    .action(async (feed: string, options: ServiceCommandOptions & Pick<PreviewArguments, 'limit'>) => {
      const { preview } = await import('./commands/preview.ts');
      finish(await preview({ feed, ...options }, io));
    });

  serviceCommand(
    program,
    'subscriptions',
    'list the subscriptions of a collection and their last fetches',
    'subscriptions',
    {
      examples: ['feedmesh subscriptions copy', 'feedmesh subscriptions copy todo'],
    },
  )
    .argument('<collection>', 'the name of the collection')
    .argument('[subscription]', 'the name of a subscription, to list its last 20 fetches')
    .action(async (collection: string, subscription: string | undefined, options: ServiceCommandOptions) => {
      if (subscription !== undefined) {
        const { lastFetches } = await import('./commands/last-fetches.ts');
        return finish(await lastFetches({ collection, subscription, ...options }, io));
      }
      const { subscriptions } = await import('./commands/subscriptions.ts');
      finish(await subscriptions({ collection, ...options }, io));
    });

  addWatchCommands(program, { io, finish });

  serviceCommand(program, 'unsubscribe', 'end a subscription; its items stay', 'subscriptions', {
    examples: ['feedmesh unsubscribe copy todo'],
  })
    .argument('<collection>', 'the name of the collection')
    .argument('<subscription>', 'the name of the subscription')
    .action(async (collection: string, subscription: string, options: ServiceCommandOptions) => {
      const { unsubscribe } = await import('./commands/unsubscribe.ts');
      finish(await unsubscribe({ collection, subscription, ...options }, io));
    });
}
