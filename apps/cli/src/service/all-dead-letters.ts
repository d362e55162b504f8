import type { DiscardedLettersView, RetriedLettersView } from '#contracts';
import { exitCode } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { printResult } from '../terminal/print-result.ts';
import { count, printable } from '../terminal/text.ts';
import { deadLettersPath } from './dead-letters.ts';
import type { DeadLetterFilter } from './dead-letters.ts';
import type { Service } from './service.ts';

type ChangedLetters = Partial<RetriedLettersView & DiscardedLettersView>;

/**
 * Retries or discards all dead letters of a filter, many with each request, and prints how many they were and
 * which were refused. Throws as `Service` does; what was done until then stays done.
 */
export async function allDeadLetters(
  action: 'retry' | 'discard',
  service: Service,
  filter: DeadLetterFilter,
  format: 'text' | 'json',
  io: Io,
): Promise<ExitCode> {
  const refusals: RetriedLettersView['refusals'][number][] = [];
  let done = 0;
  let cursor: string | undefined;
  do {
    const path = deadLettersPath(filter, `/${action}`, cursor);
    const changed = await service.json<ChangedLetters>(path, { method: 'POST' });
    done += (changed.retried ?? 0) + (changed.discarded ?? 0);
    refusals.push(...(changed.refusals ?? []));
    cursor = changed.next;
  } while (cursor !== undefined);
  if (format === 'text')
    for (const { id, rule, detail } of refusals)
      io.stderr.write(`${printable(id)}: ${printable(detail)} [${rule}]\n`);
  const refused = refusals.length;
  const [result, text] =
    action === 'retry'
      ? [{ retried: done, refused, refusals }, `retried, ${refused.toLocaleString('en-US')} refused`]
      : [{ discarded: done }, 'discarded'];
  await printResult(result, `${count(done, 'dead letter')} ${text}\n`, format, io);
  return refusals.length > 0 ? exitCode.violations : exitCode.done;
}
