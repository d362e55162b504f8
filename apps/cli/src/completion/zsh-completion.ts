import type { CompletionCommand, CompletionOption, Values } from './command-line.ts';

/**
 * A script that completes the command lines of a program in zsh: to be sourced after compinit, or a file
 * `_program` in a folder of fpath.
 */
export function zshCompletion(program: string, commands: readonly CompletionCommand[]): string {
  return `#compdef ${program}
# Completes the command lines of ${program} in zsh.
_${program}_collections() {
  local -a names
  local -a options=(\${opt_args[--url]:+--url} \${opt_args[--url]})
  names=(\${(f)"$(${program} ls --timeout 1 $options 2> /dev/null | cut -f 1)"})
  compadd -a names
}

${commands.map((command) => completionFunction(program, command)).join('\n\n')}

if [[ $funcstack[1] == _${program} ]]; then
  _${program} "$@"
else
  compdef _${program} ${program}
fi
`;
}

function completionFunction(program: string, command: CompletionCommand): string {
  const { name, commands, options } = command;
  if (commands.length === 0) {
    return `${functionName(program, name)}() {
  local -A opt_args
  _arguments \\
${specifications(program, command)}
}`;
  }
  const calls = commands.map(
    ({ word }) => `        ${word}) ${functionName(program, `${name} ${word}`.trim())} ;;`,
  );
  return `${functionName(program, name)}() {
  local context state state_descr line
  local -A opt_args
  local -a commands
  commands=(
${commands.map(({ word, description }) => `    ${quoted(`${word}:${description}`)}`).join('\n')}
  )
  _arguments -C \\
${options.map((option) => `    ${optionSpecification(program, option)} \\`).join('\n')}
    '1:command:->command' \\
    '*::argument:->argument'
  case $state in
    command) _describe command commands ;;
    argument)
      case $words[1] in
${calls.join('\n')}
      esac
      ;;
  esac
}`;
}

function specifications(program: string, { options, arguments: all }: CompletionCommand): string {
  const places = all.map(({ name, isVariadic, values }, index) =>
    quoted(`${isVariadic ? '*' : index + 1}:${escaped(name)}:${action(program, values)}`),
  );
  return [...options.map((option) => optionSpecification(program, option)), ...places]
    .map((specification) => `    ${specification}`)
    .join(' \\\n');
}

function optionSpecification(
  program: string,
  { flags, description, isRepeatable, argument }: CompletionOption,
): string {
  const value =
    argument === undefined ? '' : `:${escaped(argument.name)}:${action(program, argument.values)}`;
  const explanation = quoted(`[${escaped(description)}]${value}`);
  const suffixed = flags.map((flag) =>
    argument === undefined ? flag : `${flag}${flag.startsWith('--') ? '=' : '+'}`,
  );
  const exclusion = isRepeatable ? "'*'" : quoted(`(${flags.join(' ')})`);
  return `${exclusion}${suffixed.length === 1 ? suffixed[0] : `{${suffixed.join(',')}}`}${explanation}`;
}

function action(program: string, values: Values): string {
  if (values.kind === 'choice') return `(${values.choices.join(' ')})`;
  return { file: '_files', directory: '_files -/', collection: `_${program}_collections`, any: ' ' }[
    values.kind
  ];
}

function functionName(program: string, name: string): string {
  return ['', program, ...name.split(/[ -]/).filter((word) => word !== '')].join('_');
}

/** A text within a specification of `_arguments`. */
function escaped(text: string): string {
  return text.replace(/[\\:[\]]/g, '\\$&');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
