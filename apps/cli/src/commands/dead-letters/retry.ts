import type { ExitCode } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { deadLetterPath } from '../../service/dead-letters.ts';
import { eachDeadLetter } from '../../service/each-dead-letter.ts';
import type { DeadLettersArguments } from '../../service/each-dead-letter.ts';

/**
 * Merges or runs again what is in dead letters; those that succeed are removed. Throws as `eachDeadLetter`
 * does.
 */
export async function retryDeadLetters(options: DeadLettersArguments, io: Io): Promise<ExitCode> {
  return eachDeadLetter(
    'retried',
    options,
    async (service, id) => service.send(`${deadLetterPath(id)}/retry`, { method: 'POST' }),
    io,
  );
}
