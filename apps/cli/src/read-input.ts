import { readFile } from 'node:fs/promises';
import { causeOf } from './cause.ts';
import { CommandError, exitCode } from './command-error.ts';
import type { Io } from './io.ts';

/**
 * The bytes of a file, or of stdin for `-`.
 * @throws CommandError (2) if it can't be read
 */
export async function readInput(source: string, io: Io): Promise<Buffer<ArrayBuffer>> {
  try {
    if (source !== '-') return await readFile(source);
    const chunks: Uint8Array[] = [];
    for await (const chunk of io.stdin) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch (error) {
    throw new CommandError(
      `cannot read ${source === '-' ? 'stdin' : source}: ${causeOf(error)}`,
      exitCode.unreadable,
      { cause: error },
    );
  }
}
