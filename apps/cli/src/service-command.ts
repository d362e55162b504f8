import type { Command } from 'commander';
import { addCommand, explain } from './command.ts';
import type { CommandHelp, commandGroup } from './command.ts';
import { positiveNumber } from './option-values.ts';

/** The options of every command that uses a running Feedmesh; `FEEDMESH_KEY` has the key for it. */
export interface ServiceCommandOptions {
  readonly output: 'text' | 'json';
  readonly url?: string;
  readonly timeout: number;
}

/** Adds a command that asks a running Feedmesh, with its help. */
export function serviceCommand(
  program: Command,
  name: string,
  description: string,
  group: keyof typeof commandGroup,
  help: CommandHelp,
): Command {
  const command = addCommand(program, name, description)
    .option('--url <url>', 'the URL of Feedmesh (default: FEEDMESH_URL, else http://127.0.0.1:8080)')
    .option('--timeout <seconds>', 'how long to wait for a response', positiveNumber, 30);
  const exitCodes = { 3: 'the service refused, or could not be reached', ...help.exitCodes };
  return explain(command, group, { ...help, exitCodes });
}
