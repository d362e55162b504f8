import type { ExitCode } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { deadLetterPath } from '../../service/dead-letters.ts';
import { eachDeadLetter } from '../../service/each-dead-letter.ts';
import type { DeadLettersArguments } from '../../service/each-dead-letter.ts';

/** Removes dead letters with what is in them. Throws as `eachDeadLetter` does. */
export async function discardDeadLetters(options: DeadLettersArguments, io: Io): Promise<ExitCode> {
  return eachDeadLetter(
    'discarded',
    options,
    async (service, id) => service.send(deadLetterPath(id), { method: 'DELETE' }),
    io,
  );
}
