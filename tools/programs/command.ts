import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface CommandSettings {
  readonly cwd?: string;
  readonly environment?: NodeJS.ProcessEnv;
  /** Written to its stdin. */
  readonly input?: string;
}

/** A program that ended with another exit code than 0; the message has the end of both outputs. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** How a program has ended. */
interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, and returns its exit code (1 if a signal ended it) and both outputs. */
export async function outcome(
  program: string,
  args: readonly string[],
  { cwd, environment, input = '' }: CommandSettings = {},
): Promise<Outcome> {
  const child = spawn(program, args, { cwd, env: environment ?? process.env });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => stdout.push(piece));
  child.stderr.on('data', (piece: Buffer) => stderr.push(piece));
  // A program that ends without reading its input is judged by its exit code.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return {
    code: code ?? 1,
    stdout: Buffer.concat(stdout).toString(),
    stderr: Buffer.concat(stderr).toString(),
  };
}

/** Runs a program to its end, and returns its stdout. Throws `CommandError`. */
export async function run(
  program: string,
  args: readonly string[],
  settings: CommandSettings = {},
): Promise<string> {
  const { code, stdout, stderr } = await outcome(program, args, settings);
  if (code === 0) return stdout;
  const end = `${stdout}${stderr}`.trimEnd().split('\n').slice(-20).join('\n');
  throw new CommandError(`${[program, ...args].join(' ')} has ended with ${code}:\n${end}`);
}
