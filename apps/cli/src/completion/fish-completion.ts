import type { CompletionCommand, CompletionOption, Values } from './command-line.ts';

/** A script that completes the command lines of a program in fish 3 and later. */
export function fishCompletion(program: string, commands: readonly CompletionCommand[]): string {
  const groups = commands
    .filter(({ name, commands: inner }) => name !== '' && inner.length > 0)
    .map(({ name }) => name);
  const valued = new Set(
    commands.flatMap(({ options }) =>
      options.filter(({ argument }) => argument !== undefined).flatMap(({ flags }) => flags),
    ),
  );
  return `# Completes the command lines of ${program} in fish.
# Whether the command is $argv[1] and, if it is given, its argument $argv[2] comes next.
function __${program}_at
    set -l words (commandline -opc)
    set -e words[1]
    set -l command
    while set -q words[1]; and not string match -q -- '-*' $words[1]
        set -a command $words[1]
        set -e words[1]
        contains -- "$command" ${groups.map(quoted).join(' ')}; or break
    end
    test "$command" = "$argv[1]"; or return 1
    set -q argv[2]; or return 0
    set -l position 0
    set -l option ''
    for word in $words
        if test -n "$option"
            set option ''
        else if contains -- $word ${[...valued].join(' ')}
            set option $word
        else if not string match -q -- '-?*' $word
            set position (math $position + 1)
        end
    end
    test $position = $argv[2]; or begin
        string match -q -- '*+' $argv[2]; and test $position -ge (string trim --right --chars=+ $argv[2])
    end
end

function __${program}_collections
    ${program} ls --timeout 1 2> /dev/null | cut -f 1
end

complete -c ${program} -f
${commands.flatMap((command) => completions(program, command)).join('\n')}
`;
}

function completions(
  program: string,
  { name, commands, options, arguments: all }: CompletionCommand,
): string[] {
  const complete = (place: string, rest: string): string =>
    `complete -c ${program} -n ${quoted(`__${program}_at ${quoted(name)}${place}`)} ${rest}`;
  return [
    ...commands.map(({ word, description }) => complete('', `-a ${quoted(word)} -d ${quoted(description)}`)),
    ...options.map((option) => complete('', optionText(program, option))),
    ...all.flatMap(({ values, isVariadic }, position) => {
      const candidates = candidatesText(program, values);
      return candidates === undefined ? [] : [complete(` ${position}${isVariadic ? '+' : ''}`, candidates)];
    }),
  ];
}

function optionText(program: string, { flags, description, argument }: CompletionOption): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const values = argument === undefined ? [] : ['-r', candidatesText(program, argument.values) ?? '-f'];
  return [...names, ...values, `-d ${quoted(description)}`].join(' ');
}

/**
 * The options of `complete` that offer values, `-F` for files; undefined for values that no shell can know.
 */
function candidatesText(program: string, values: Values): string | undefined {
  if (values.kind === 'choice') return `-f -a ${quoted(values.choices.join(' '))}`;
  return {
    file: '-F',
    directory: `-f -a '(__fish_complete_directories)'`,
    collection: `-f -a '(__${program}_collections)'`,
    any: undefined,
  }[values.kind];
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
