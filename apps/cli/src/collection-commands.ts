import { Option } from 'commander';
import type { Command } from 'commander';
import { addGroup } from './command.ts';
import type { Surroundings } from './command.ts';
import type { CreateArguments } from './commands/collection/create.ts';
import type { SetArguments } from './commands/collection/set.ts';
import type { LsArguments } from './commands/ls.ts';
import type { ImportArguments } from './commands/import.ts';
import { oneOfSeveral, positiveNumber, setting } from './option-values.ts';
import { serviceCommand } from './service-command.ts';
import type { ServiceCommandOptions } from './service-command.ts';

type LsOptions = ServiceCommandOptions & Pick<LsArguments, 'state' | 'sort' | 'search'>;

const settingHelp = `
A setting is given as name=value; the value is JSON (500, true, {"policy":
"latest"}) or a text. \`feedmesh collection show\` lists the settings;
docs/contract.md explains them.
`;

const endpointHelp = `
Do this if someone else signs with the same identifier (rule
endpoint-not-unique), after this machine was cloned, or after its database was
restored from a backup. The collection signs with the new identifier from now
on, and items that had been refused are merged. The ids in its feeds stay.
`;

const importHelp = `
Without --subscriptions, COLLECTION must hold outlines (format opml). The
outlines of the document are added after those that are there. With --replace
the collection is brought in step with the document: outlines are recognised
by id, xmlUrl, or place and text, and those that are not in it are deleted.

With --subscriptions a collection of any format subscribes to every xmlUrl of
the document. Feeds that it reads already are left as they are.
`;

const exportHelp = `
Prints OPML that feed readers import, without synchronisation data. With
-o json: the outlines as a tree, or the subscriptions as a list.
`;

const watchHelp = `
A lost connection is resumed after the last change that was printed. On a
terminal a bar shows the progress of a walk through a tree of feeds, and times
are local. With -o json every line is one CloudEvent.
`;

/** Adds the commands for collections as a whole. */
export function addCollectionCommands(program: Command, surroundings: Surroundings): void {
  const { io, finish } = surroundings;
  serviceCommand(program, 'ls', 'list the collections, or the items of one', 'collections', {
    examples: [
      'feedmesh ls',
      'feedmesh ls todo --state live --sort updated',
      'feedmesh ls todo --search "milk eggs"',
      "feedmesh ls todo -o json | jq -r '.[].title'",
    ],
  })
    .argument('[collection]', 'the name of a collection; without it the collections are listed')
    .addOption(
      new Option('--state <state>', 'only the items in this state').choices(['live', 'deleted', 'conflict']),
    )
    .addOption(
      new Option('--sort <time>', 'the newest items first, or with - the oldest (default: by id)').choices([
        'published',
        '-published',
        'updated',
        '-updated',
      ]),
    )
    .option('--search <words>', 'only the items that contain all of these words')
    .action(async (collection: string | undefined, options: LsOptions) => {
      const { ls } = await import('./commands/ls.ts');
      finish(await ls({ collection, ...options }, io));
    });

  const collection = addGroup(
    program,
    'collection',
    'create, show, change or delete a collection',
    'collections',
  );
  addCreateCommand(collection, surroundings);
  addSetCommand(collection, surroundings);

  serviceCommand(collection, 'show', 'show a collection with its settings', 'collections', {
    examples: ['feedmesh collection show todo'],
  })
    .argument('<collection>', 'the name of the collection')
    .action(async (name: string, options: ServiceCommandOptions) => {
      const { showCollection } = await import('./commands/collection/show.ts');
      finish(await showCollection({ collection: name, ...options }, io));
    });

  serviceCommand(collection, 'endpoint', 'give a collection another endpoint identifier', 'collections', {
    details: endpointHelp,
    examples: ['feedmesh collection endpoint todo', 'feedmesh collection endpoint todo example.org:todo'],
    exitCodes: { 1: 'items that had been refused still are; they are in the dead letters' },
  })
    .argument('<collection>', 'the name of the collection')
    .argument('[identifier]', 'an identifier that was never used (default: a random one)')
    .action(async (name: string, endpoint: string | undefined, options: ServiceCommandOptions) => {
      const { renewEndpoint } = await import('./commands/collection/endpoint.ts');
      finish(
        await renewEndpoint(
          { collection: name, ...(endpoint !== undefined && { endpoint }), ...options },
          io,
        ),
      );
    });

  serviceCommand(
    collection,
    'delete',
    'delete a collection with its items and subscriptions',
    'collections',
    {
      details: 'No tombstones remain: other endpoints keep the items.',
      examples: ['feedmesh collection delete todo --yes'],
    },
  )
    .argument('<collection>', 'the name of the collection')
    .option('--yes', 'confirm the deletion, which cannot be undone', false)
    .action(async (name: string, options: ServiceCommandOptions & { yes: boolean }) => {
      const { deleteCollection } = await import('./commands/collection/delete.ts');
      finish(await deleteCollection({ collection: name, ...options }, io));
    });

  serviceCommand(
    program,
    'import',
    'import an OPML document: outlines, or feeds to subscribe to',
    'collections',
    {
      details: importHelp,
      examples: [
        'feedmesh import reading subscriptions.opml',
        'feedmesh import reading later.opml --replace',
        'feedmesh import planet feeds.opml --subscriptions',
      ],
      exitCodes: { 1: 'feeds of the list were refused (--subscriptions)', 2: 'the file could not be read' },
    },
  )
    .argument('<collection>', 'the name of the collection')
    .argument('<file>', 'the OPML document: a file, or - for stdin')
    .option('--subscriptions', 'subscribe to the feeds of the document', false)
    .option('--replace', 'delete the outlines that are not in the document', false)
    .option('--parent <id>', 'the outline to add the new ones to (default: the top level)')
    .action(
      async (
        name: string,
        file: string,
        options: ServiceCommandOptions & Pick<ImportArguments, 'subscriptions' | 'replace' | 'parent'>,
      ) => {
        const { importDocument } = await import('./commands/import.ts');
        finish(await importDocument({ collection: name, file, ...options }, io));
      },
    );

  serviceCommand(
    program,
    'export',
    'print the outlines or the subscriptions of a collection as OPML',
    'collections',
    {
      details: exportHelp,
      examples: [
        'feedmesh export reading > reading.opml',
        'feedmesh export planet --subscriptions > feeds.opml',
      ],
    },
  )
    .argument('<collection>', 'the name of the collection')
    .option('--subscriptions', 'print the list of subscribed feeds', false)
    .action(async (name: string, options: ServiceCommandOptions & { subscriptions: boolean }) => {
      const { exportDocument } = await import('./commands/export.ts');
      finish(await exportDocument({ collection: name, ...options }, io));
    });

  serviceCommand(
    program,
    'watch',
    'print the changes of a collection, or of all, as they happen, until Ctrl-C',
    'collections',
    {
      details: watchHelp,
      examples: [
        'feedmesh watch',
        'feedmesh watch todo',
        'feedmesh watch todo --since start',
        "feedmesh watch todo -o json | jq -r '.subject'",
      ],
    },
  )
    .argument('[collection]', 'the name of the collection (default: all that you may read)')
    .option(
      '--since <cursor>',
      'begin after this cursor, or with "start" at the oldest change that is kept (default: only new ' +
        'changes)',
    )
    .option('--retry <seconds>', 'how long to wait before a lost connection is resumed', positiveNumber, 2)
    .action(
      async (
        name: string | undefined,
        options: ServiceCommandOptions & { since?: string; retry: number },
      ) => {
        const { watch } = await import('./commands/watch.ts');
        finish(await watch({ ...(name !== undefined && { collection: name }), ...options }, io));
      },
    );
}

function addCreateCommand(program: Command, { io, finish }: Surroundings): void {
  serviceCommand(program, 'create', 'create a collection', 'collections', {
    details: `${settingHelp}\nProtocol and format never change once the collection exists.`,
    examples: [
      'feedmesh collection create todo --title "To Do List"',
      'feedmesh collection create reading --format opml',
      'feedmesh collection create news --protocol cse --set links=original',
    ],
    exitCodes: { 3: 'the service refused (there may be such a collection), or could not be reached' },
  })
    .argument('<name>', 'the name: 1 to 63 of a-z, 0-9 and "-"')
    .option('--title <text>', 'the title of its feeds (default: the name)')
    .option('--protocol <protocol>', 'the protocol (default: the first of the service with the format)')
    .addOption(
      new Option(
        '--format <format>',
        'the format of its own feed (default: the first of its protocol)',
      ).choices(['atom', 'rss', 'opml']),
    )
    .option(
      '--endpoint <id>',
      'the identifier under which this endpoint edits (default: made by the service)',
    )
    .option('--set <name=value>', 'a setting; can be repeated', setting)
    .action(
      async (
        name: string,
        options: ServiceCommandOptions &
          Pick<CreateArguments, 'title' | 'protocol' | 'format' | 'endpoint' | 'set'>,
      ) => {
        const { createCollection } = await import('./commands/collection/create.ts');
        finish(await createCollection({ collection: name, ...options }, io));
      },
    );
}

function addSetCommand(program: Command, { io, finish }: Surroundings): void {
  serviceCommand(program, 'set', 'change the title or the settings of a collection', 'collections', {
    details: settingHelp,
    examples: [
      'feedmesh collection set todo --title "To do"',
      'feedmesh collection set todo --set windowItems=500 --unset windowAge',
    ],
  })
    .argument('<collection>', 'the name of the collection')
    .option('--title <text>', 'the title of its feeds')
    .option('--set <name=value>', 'a setting; can be repeated', setting)
    .option('--unset <name>', 'a setting to take away; can be repeated', oneOfSeveral)
    .action(
      async (
        name: string,
        options: ServiceCommandOptions & Pick<SetArguments, 'title' | 'set' | 'unset'>,
      ) => {
        const { setCollection } = await import('./commands/collection/set.ts');
        finish(await setCollection({ collection: name, ...options }, io));
      },
    );
}
