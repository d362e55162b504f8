import { Argument } from 'commander';
import type { Command } from 'commander';
import { addCommand, commandGroup, explain } from './command.ts';
import type { Surroundings } from './command.ts';
import { addAuditCommands } from './audit-commands.ts';
import { addEventCommands } from './event-commands.ts';
import { addKeyCommands } from './key-commands.ts';
import { addRedisCommands } from './redis-commands.ts';
import { addTenantCommands } from './tenant-commands.ts';
import { shells } from './completion/shell.ts';
import type { Shell } from './completion/shell.ts';

const startHelp = `
Starts the four services with Redis and MongoDB: those of REDIS_URL and
MONGODB_URI, or private ones that are found or downloaded. Prints the URLs.
Ctrl-C stops everything; the data stays in FEEDMESH_DATA (.feedmesh).
`;

const doctorHelp = `
Asks Redis and MongoDB directly, compares the indexes and shard keys of MongoDB
with those that are needed, and reads every file of the trees of feeds in the
store. The addresses are those of REDIS_URL and MONGODB_URI; if these are
not set, those of the \`feedmesh start\` or \`npm start\` that runs with the data
folder FEEDMESH_DATA (.feedmesh); otherwise the services' defaults.

--repair creates missing indexes and removes damaged files. Those of a mirror
are downloaded again with its next fetch, which is then due; those of a tree of
your own are lost and have to be uploaded again.
`;

const restoreHelp = `
For a MongoDB that was restored from a backup, before its services are started:
what they would issue next was issued before, and others hold it. Every
collection gets another endpoint identifier and goes on with sequences that were
never given, and everything in it is published once more. If FEEDMESH_ENDPOINT
is set for the services, give it another value as well.

The addresses are those of \`feedmesh doctor\`.
`;

const resealHelp = `
To change the key that encrypts the credentials of subscriptions:

  1. put the new key first in CREDENTIALS_KEYS, the former one after it, and
     restart the services,
  2. run this command with the same CREDENTIALS_KEYS,
  3. remove the former key.

The addresses are those of \`feedmesh doctor\`. Services may run meanwhile.
`;

const completionHelp = `
Prints a script that completes commands, options, choices, file names and the
names of collections, which it asks the service for (FEEDMESH_URL).

  bash  source <(feedmesh completion bash)             in ~/.bashrc
  zsh   source <(feedmesh completion zsh)              in ~/.zshrc, after compinit
  fish  feedmesh completion fish | source              in ~/.config/fish/config.fish
`;

/** Adds the commands for those who run Feedmesh. */
export function addOperatorCommands(program: Command, { io, finish }: Surroundings): void {
  explain(program.command('start').description('run Feedmesh on this machine until Ctrl-C'), 'operation', {
    details: startHelp,
    examples: ['feedmesh start', 'PORT=8090 FEEDMESH_DATA=/srv/feedmesh feedmesh start'],
    exitCodes: { 1: 'a service or a database could not be started' },
  }).action(async () => {
    const { start } = await import('./commands/start.ts');
    await start();
  });

  explain(
    addCommand(program, 'doctor', 'check the databases, their indexes and every stored file'),
    'operation',
    {
      details: doctorHelp,
      examples: [
        'feedmesh doctor',
        'feedmesh doctor --repair',
        'FEEDMESH_DATA=/srv/feedmesh feedmesh doctor -o json',
      ],
      exitCodes: {
        0: 'nothing found, or everything repaired',
        1: 'files are damaged or missing, or an index or a shard key is wrong',
        69: 'Redis or MongoDB does not respond',
      },
    },
  )
    .option('--repair', 'repair what can be repaired', false)
    .action(async (options: { repair: boolean; output: 'text' | 'json' }) => {
      const { doctor } = await import('./commands/doctor.ts');
      finish(await doctor(options, io));
    });

  explain(
    addCommand(program, 'restore', 'make a database that was restored from a backup fit to be used'),
    'operation',
    {
      details: restoreHelp,
      examples: ['feedmesh restore', 'MONGODB_URI=mongodb://db.example/feedmesh feedmesh restore'],
      exitCodes: {
        4: 'a service was running, and changed a collection meanwhile',
        69: 'MongoDB does not respond',
      },
    },
  ).action(async (options: { output: 'text' | 'json' }) => {
    const { restore } = await import('./commands/restore.ts');
    finish(await restore(options, io));
  });

  explain(
    addCommand(program, 'reseal', 'encrypt the credentials of subscriptions under the first key'),
    'operation',
    {
      details: resealHelp,
      examples: ['CREDENTIALS_KEYS=2027:…,2026:… feedmesh reseal'],
      exitCodes: { 1: "some credentials can't be read", 69: 'MongoDB does not respond' },
    },
  ).action(async (options: { output: 'text' | 'json' }) => {
    const { reseal } = await import('./commands/reseal.ts');
    finish(await reseal(options, io));
  });

  explain(
    addCommand(program, 'config', 'list the settings of the services, their defaults and their values'),
    'operation',
    { examples: ['feedmesh config', 'feedmesh config -o json'] },
  ).action(async (options: { output: 'text' | 'json' }) => {
    const { config } = await import('./commands/config.ts');
    finish(await config(options, io));
  });

  explain(
    program.command('completion').description('print a script that completes command lines in a shell'),
    'operation',
    {
      details: completionHelp,
      examples: ['source <(feedmesh completion bash)'],
    },
  )
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action(async (shell: Shell) => {
      const { completion } = await import('./commands/completion.ts');
      finish(await completion(shell, program, io));
    });

  addKeyCommands(program, { io, finish });
  addTenantCommands(program, { io, finish });
  addAuditCommands(program, { io, finish });
  addEventCommands(program, { io, finish });
  addRedisCommands(program, { io, finish });

  program.commandsGroup(commandGroup.operation).helpCommand('help [command]', 'explain a command');
}
