import type { Command } from 'commander';
import { exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import { bashCompletion } from '../completion/bash-completion.ts';
import { commandsOf } from '../completion/command-line.ts';
import { fishCompletion } from '../completion/fish-completion.ts';
import type { Shell } from '../completion/shell.ts';
import { zshCompletion } from '../completion/zsh-completion.ts';
import type { Io } from '../io.ts';
import { Output } from '../terminal/output.ts';

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** Prints the script that completes the command lines of a program in a shell. */
export async function completion(shell: Shell, program: Command, io: Io): Promise<ExitCode> {
  const output = new Output(io.stdout);
  await output.write(scripts[shell](program.name(), commandsOf(program)));
  await output.flush();
  return exitCode.done;
}
