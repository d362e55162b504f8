import { Command } from 'commander';
import { addCommand } from './command.ts';
import type { Surroundings } from './command.ts';
import type { ExitCode } from './command-error.ts';
import { addFeedCommands } from './feed-commands.ts';
import type { Io } from './io.ts';
import { addServiceCommands } from './service-commands.ts';
import { feedmeshVersion } from './version.ts';

const exitCodes = `
Exit codes:
   0  done; for validate: no breaches; for doctor: nothing found, or all mended
   1  the feed breaks rules (validate), items were left out because they do (merge, subscribe --wait), parts of the tree are
      missing (sync, subscribe --wait, fetch), or files are damaged or missing (doctor)
   2  a feed could not be read
   3  the service refused, or could not be reached
  64  the command line is wrong
  69  Redis or MongoDB does not answer (doctor)
  70  a fault of feedmesh itself
`;

const doctorHelp = `
It asks Redis and MongoDB themselves, by REDIS_URL and MONGODB_URI as the
services do, and reads every file of the trees of feeds in the store.

--repair removes files that are damaged. Those of a mirror are downloaded again
with its next fetch, which is then due; those of a tree of your own are lost
and have to be uploaded again.
`;

/** The command line: what there is and how it is called. A command's own code is loaded when it is run. */
export function createProgram(io: Io, finish: (code: ExitCode) => void): Command {
  const program = new Command('feedmesh')
    .description('Keeps collections of items in step between organisations that share nothing but feeds (FeedSync 1.0.2, SSE 0.91), and mirrors trees of feeds (Content Sync Extensions).')
    .version(feedmeshVersion())
    .addHelpText('after', exitCodes)
    .showHelpAfterError('(feedmesh --help lists the commands, feedmesh help COMMAND explains one)')
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) });
  const surroundings = { io, finish };
  addFeedCommands(program, surroundings);
  addServiceCommands(program, surroundings);
  addOperatorCommands(program, surroundings);
  return program;
}

function addOperatorCommands(program: Command, { io, finish }: Surroundings): void {
  addCommand(program, 'doctor', 'say whether the databases answer, and whether every file in the store is what it was')
    .option('--repair', 'mend what can be mended', false)
    .addHelpText('after', doctorHelp)
    .action(async (options: { repair: boolean; output: 'text' | 'json' }) => {
      const { doctor } = await import('./commands/doctor.ts');
      finish(await doctor(options, io));
    });

  addCommand(program, 'config', 'list the settings of the services, their defaults and their values').action(async (options: { output: 'text' | 'json' }) => {
    const { config } = await import('./commands/config.ts');
    finish(await config(options, io));
  });
}
