import { Command } from 'commander';
import type { ExitCode } from './command-error.ts';
import { addFeedCommands } from './feed-commands.ts';
import type { Io } from './io.ts';
import { addOperatorCommands } from './operator-commands.ts';
import { addServiceCommands } from './service-commands.ts';
import { feedmeshVersion } from './version.ts';

const exitCodes = `
Exit codes (feedmesh COMMAND --help says what they mean for a command):
   0  done
   1  done in part: the feed breaks rules, items or parts of a tree are missing, files are damaged
   2  a feed or a file could not be read
   3  the service refused, or could not be reached
   4  the item has another revision than the one given
  64  the command line is wrong
  69  Redis or MongoDB does not respond (doctor)
  70  a fault of feedmesh itself

Environment:
  FEEDMESH_URL  the URL of Feedmesh (default: http://127.0.0.1:8080)
  FEEDMESH_KEY  the key for it, where it needs one (feedmesh keys create)
`;

/** The command line: what there is and how it is called. A command's own code is loaded when it is run. */
export function createProgram(io: Io, finish: (code: ExitCode) => void): Command {
  const program = new Command('feedmesh')
    .description(
      'Keeps collections of items in step between organisations that share nothing but feeds (FeedSync ' +
        '1.0.2, SSE 0.91), and mirrors trees of feeds (Content Sync Extensions).',
    )
    .version(feedmeshVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', exitCodes)
    .showHelpAfterError('(feedmesh --help lists the commands, feedmesh help COMMAND explains one)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
    });
  const surroundings = { io, finish };
  addServiceCommands(program, surroundings);
  addFeedCommands(program, surroundings);
  addOperatorCommands(program, surroundings);
  return program;
}
