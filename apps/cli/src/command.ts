import { Command, Option } from 'commander';
import type { ExitCode } from './command-error.ts';
import type { Io } from './io.ts';

/** What commands are given to run with: the world around them, and what takes their exit code. */
export interface Surroundings {
  readonly io: Io;
  readonly finish: (code: ExitCode) => void;
}

/** The headings under which `feedmesh --help` lists the commands, in this order. */
export const commandGroup = {
  feeds: 'Feeds and folders (no service needed):',
  collections: 'Collections:',
  items: 'Items:',
  subscriptions: 'Subscriptions:',
  trees: 'Trees of feeds:',
  operation: 'Operation:',
} as const;

/** What `feedmesh COMMAND --help` says after the options. */
export interface CommandHelp {
  /** What arguments and options do not say, in lines of at most 80 characters. */
  readonly details?: string;
  /** Complete command lines. */
  readonly examples: readonly string[];
  /** What the command's exit codes mean, besides 0 (unless it is given here) and 64. */
  readonly exitCodes?: Readonly<Partial<Record<ExitCode, string>>>;
}

/** Adds a command that prints text or JSON. */
export function addCommand(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .addOption(
      new Option('-o, --output <format>', 'what to print').choices(['text', 'json']).default('text'),
    );
}

/** Adds a group of commands, which does nothing by itself. */
export function addGroup(
  program: Command,
  name: string,
  description: string,
  group: keyof typeof commandGroup,
): Command {
  return program
    .command(name)
    .description(description)
    .helpGroup(commandGroup[group])
    .helpCommand('help [command]', 'explain a command');
}

/** Gives a command its group in `feedmesh --help`, and details, examples and exit codes in its own help. */
export function explain(
  command: Command,
  group: keyof typeof commandGroup,
  { details, examples, exitCodes = {} }: CommandHelp,
): Command {
  const codes = Object.entries({ 0: 'done', ...exitCodes, 64: 'the command line is wrong' }).toSorted(
    ([a], [b]) => Number(a) - Number(b),
  );
  const parts = [
    details?.trim(),
    ['Examples:', ...examples.map((example) => `  ${example}`)].join('\n'),
    ['Exit codes:', ...codes.map(([code, meaning]) => `  ${code.padStart(2)}  ${meaning}`)].join('\n'),
  ];
  return command
    .helpGroup(commandGroup[group])
    .addHelpText('after', `\n${parts.filter((part) => part !== undefined).join('\n\n')}\n`);
}
