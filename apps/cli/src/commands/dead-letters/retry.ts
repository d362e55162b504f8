import type { ExitCode } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { allDeadLetters } from '../../service/all-dead-letters.ts';
import { deadLetterPath } from '../../service/dead-letters.ts';
import { checkSelection, eachDeadLetter } from '../../service/each-dead-letter.ts';
import type { DeadLettersArguments } from '../../service/each-dead-letter.ts';
import { Service } from '../../service/service.ts';

/**
 * Merges or runs again what is in dead letters; those that succeed are removed. Throws as `Service` and
 * `checkSelection` do.
 */
export async function retryDeadLetters(options: DeadLettersArguments, io: Io): Promise<ExitCode> {
  checkSelection(options);
  if (options.all) return allDeadLetters('retry', new Service(options, io), options, options.output, io);
  return eachDeadLetter(
    'retried',
    options,
    async (service, id) => service.send(`${deadLetterPath(id)}/retry`, { method: 'POST' }),
    io,
  );
}
