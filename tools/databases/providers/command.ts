import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PassedOverError, type Surroundings } from './provider.ts';

const execute = promisify(execFile);

/**
 * Runs a program to its end and returns its stdout. Throws `PassedOverError` with its last words if it
 * can't be run, fails, or takes longer than `limit` milliseconds.
 */
export async function runCommand(
  program: string,
  args: readonly string[],
  { environment, signal }: Surroundings,
  limit: number,
): Promise<string> {
  try {
    const { stdout } = await execute(program, args, {
      env: environment,
      signal,
      timeout: limit,
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  } catch (error) {
    signal.throwIfAborted();
    const { killed, stderr, message } = error as { killed?: boolean; stderr?: string; message: string };
    if (killed)
      throw new PassedOverError(`${program} took longer than ${limit / 1000} s (FEEDMESH_DOWNLOAD_SECONDS)`);
    const lastWords = stderr?.trim().split('\n').slice(-2).join(' ').slice(-400);
    throw new PassedOverError(
      lastWords === undefined || lastWords === '' ? message : `${program}: ${lastWords}`,
    );
  }
}

/**
 * Throws `PassedOverError` unless the server program runs here: a wrong platform or a missing library shows
 * at once.
 */
export async function assertRuns(program: string, surroundings: Surroundings): Promise<void> {
  await runCommand(program, ['--version'], surroundings, 20_000);
}
