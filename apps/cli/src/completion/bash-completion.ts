import type { CompletionCommand, Values } from './command-line.ts';

/**
 * A script that completes the command lines of a program in bash 3.2 and later. `program` is its name and
 * begins the names of functions.
 */
export function bashCompletion(program: string, commands: readonly CompletionCommand[]): string {
  const groups = commands.filter((command) => command.commands.length > 0);
  const names = groups.map(({ name, commands: inner }) =>
    inner.map(({ word }) => `'${name}:${word}'`).join('|'),
  );
  const valued = unique(
    commands.flatMap(({ options }) =>
      options.filter(({ argument }) => argument !== undefined).flatMap(({ flags }) => flags),
    ),
  );
  return `# Completes the command lines of ${program} in bash.
_${program}() {
  local line=\${COMP_LINE:0:COMP_POINT} IFS=$' \\t\\n' words word cur i
  local command='' option='' url='' values='' position=0
  read -ra words <<< "$line"
  case $line in *[[:space:]]) words+=('') ;; esac
  cur=\${words[\${#words[@]} - 1]}
  for ((i = 1; i < \${#words[@]} - 1; i++)); do
    word=\${words[i]}
    if [[ -n $option ]]; then
      if [[ $option == --url ]]; then url=$word; fi
      option=''
      continue
    fi
    case "$command:$word" in
      ${names.join('|')}) command="\${command:+$command }$word" ;;
      *:--url=*) url=\${word#*=} ;;
      ${valued.map((flag) => `*:${flag}`).join('|')}) option=$word ;;
      *:-?*) ;;
      *) position=$((position + 1)) ;;
    esac
  done
  case $cur in --*=*) option=\${cur%%=*}; cur=\${cur#*=} ;; esac
  if [[ -n $option ]]; then
    case "$command:$option" in
${cases(commands.flatMap(optionValues))}
    esac
  elif [[ $cur == -* ]]; then
    case "$command" in
${cases(commands.map(({ name, options }) => [name, options.flatMap(({ flags }) => flags).join(' ')]))}
    esac
  else
    case "$command:$position" in
${cases(commands.flatMap(argumentValues))}
    esac
  fi
  COMPREPLY=()
  case $values in
    @file) compopt -o filenames 2> /dev/null; IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$cur")) ;;
    @directory) compopt -o filenames 2> /dev/null; IFS=$'\\n'; COMPREPLY=($(compgen -d -- "$cur")) ;;
    @collection)
      values=$("\${words[0]}" ls --timeout 1 \${url:+--url "$url"} 2> /dev/null | cut -f 1)
      COMPREPLY=($(compgen -W "$values" -- "$cur"))
      ;;
    ?*) COMPREPLY=($(compgen -W "$values" -- "$cur")) ;;
  esac
}
complete -F _${program} ${program}
`;
}

/** A pattern of `command:option` or `command:position`, and what can stand there. */
type Case = readonly [pattern: string, values: string];

function optionValues({ name, options }: CompletionCommand): Case[] {
  return options.flatMap(({ flags, argument }) =>
    argument === undefined ? [] : flags.map((flag): Case => [`${name}:${flag}`, valuesText(argument.values)]),
  );
}

/** The commands of a group stand in its first place; the last of variadic arguments in every later place. */
function argumentValues({ name, commands, arguments: all }: CompletionCommand): Case[] {
  if (commands.length > 0) return [[`${name}:0`, commands.map(({ word }) => word).join(' ')]];
  return all.map(({ values, isVariadic }, position): Case => [
    `${name}:${isVariadic ? '*' : position}`,
    valuesText(values),
  ]);
}

function valuesText(values: Values): string {
  if (values.kind === 'choice') return values.choices.join(' ');
  return values.kind === 'any' ? '' : `@${values.kind}`;
}

/** The branches of a `case`, one for all the patterns with the same values. */
function cases(all: readonly Case[]): string {
  const patterns = new Map<string, string[]>();
  for (const [pattern, values] of all) {
    if (values !== '') patterns.set(values, [...(patterns.get(values) ?? []), quoted(pattern)]);
  }
  return [...patterns].map(([values, those]) => `      ${those.join('|')}) values='${values}' ;;`).join('\n');
}

/** A pattern that stands for itself, but for a `*` at its end. */
function quoted(pattern: string): string {
  return pattern.endsWith('*') ? `'${pattern.slice(0, -1)}'*` : `'${pattern}'`;
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
