import { CommanderError } from 'commander';
import { asFailure } from './cause.ts';
import { CommandError, exitCode } from './command-error.ts';
import type { ExitCode } from './command-error.ts';
import type { Io } from './io.ts';
import { createProgram } from './program.ts';
import { isBrokenPipe } from './terminal/output.ts';
import { paint } from './terminal/text.ts';

/**
 * Runs one command line, without the program's own name, and returns its exit code. Failures are written to
 * stderr; that the reader of the output has gone is none.
 */
export async function run(commandLine: readonly string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = exitCode.done;
  try {
    await createProgram(io, (result) => {
      code = result;
    }).parseAsync(commandLine, { from: 'user' });
    return code;
  } catch (error) {
    return report(error, io);
  }
}

function report(error: unknown, io: Io): ExitCode {
  if (isBrokenPipe(error)) return exitCode.done;
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.done : exitCode.usage;
  const [message, code] =
    error instanceof CommandError ? [error.message, error.exitCode] : [describeFault(error), exitCode.fault];
  io.stderr.write(`${paint(io, 'stderr', 'red', 'feedmesh:')} ${message}\n`);
  return code;
}

/** An error that no command expected, with all there is to find its place. */
function describeFault(error: unknown): string {
  return asFailure(error).stack ?? String(error);
}
