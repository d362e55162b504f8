import type { Argument, Command, Option } from 'commander';

/** What can stand in the place of an argument or of an option's value. `any` is what no shell can know. */
export type Values =
  | { readonly kind: 'any' | 'file' | 'directory' | 'collection' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] };

export interface CompletionOption {
  /** Such as `-o` and `--output`. */
  readonly flags: readonly string[];
  readonly description: string;
  readonly isRepeatable: boolean;
  /** The name and the values of what follows it; absent of a flag. */
  readonly argument?: { readonly name: string; readonly values: Values };
}

interface CompletionArgument {
  readonly name: string;
  readonly isVariadic: boolean;
  readonly values: Values;
}

/** One command as the shells complete it. */
export interface CompletionCommand {
  /** The words that name it: none for the program itself, `collection create` for a command of a group. */
  readonly name: string;
  readonly description: string;
  readonly commands: readonly { readonly word: string; readonly description: string }[];
  readonly options: readonly CompletionOption[];
  readonly arguments: readonly CompletionArgument[];
}

/** What the name of an argument or of an option's value says of its values. */
const valuesByName: Readonly<Record<string, Values>> = {
  collection: { kind: 'collection' },
  file: { kind: 'file' },
  source: { kind: 'file' },
  local: { kind: 'file' },
  incoming: { kind: 'file' },
  directory: { kind: 'directory' },
};

/** Every command of a program, the program itself first, groups before the commands in them. */
export function commandsOf(program: Command): CompletionCommand[] {
  return [
    describe(program, ''),
    ...program.commands.flatMap((command) => describeAll(command, command.name())),
  ];
}

function describeAll(command: Command, name: string): CompletionCommand[] {
  return [
    describe(command, name),
    ...command.commands.flatMap((inner) => describeAll(inner, `${name} ${inner.name()}`)),
  ];
}

function describe(command: Command, name: string): CompletionCommand {
  const help = command.createHelp();
  return {
    name,
    description: command.description(),
    commands: help
      .visibleCommands(command)
      .map((inner) => ({ word: inner.name(), description: inner.description() })),
    options: help.visibleOptions(command).map(describeOption),
    arguments: command.registeredArguments.map(describeArgument),
  };
}

function describeOption(option: Option): CompletionOption {
  const { short, long, flags, description, argChoices } = option;
  const name = /[<[]([^<[>\]]+)[>\]]/.exec(flags)?.[1];
  return {
    flags: [short, long].filter((flag) => flag !== undefined && flag !== null),
    description,
    isRepeatable: description.includes('can be repeated'),
    ...(name !== undefined && { argument: { name, values: valuesOf(name, argChoices) } }),
  };
}

function describeArgument(argument: Argument): CompletionArgument {
  return {
    name: argument.name(),
    isVariadic: argument.variadic,
    values: valuesOf(argument.name(), argument.argChoices),
  };
}

function valuesOf(name: string, choices: readonly string[] | undefined): Values {
  return choices === undefined ? (valuesByName[name] ?? { kind: 'any' }) : { kind: 'choice', choices };
}
