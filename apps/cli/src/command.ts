import { Command, Option } from 'commander';
import type { ExitCode } from './command-error.ts';
import type { Io } from './io.ts';

/** What commands are given to run with: the world around them, and what takes their exit code. */
export interface Surroundings {
  readonly io: Io;
  readonly finish: (code: ExitCode) => void;
}

/** Adds a command that prints text or JSON. */
export function addCommand(program: Command, name: string, description: string): Command {
  return program.command(name).description(description).addOption(new Option('-o, --output <format>', 'what to print').choices(['text', 'json']).default('text'));
}
