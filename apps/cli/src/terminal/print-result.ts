import type { Io } from '../io.ts';
import { Output } from './output.ts';

/**
 * Prints what a command came to: as one line of JSON, or as text, which ends in a line feed unless it is
 * empty.
 */
export async function printResult(
  result: unknown,
  text: string,
  format: 'text' | 'json',
  io: Io,
): Promise<void> {
  const output = new Output(io.stdout);
  await output.write(format === 'json' ? `${JSON.stringify(result)}\n` : text);
  await output.flush();
}
