import type { DeadLetterView } from '#contracts';
import { exitCode } from '../../command-error.ts';
import type { ExitCode } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { deadLetters } from '../../service/dead-letters.ts';
import type { DeadLetterFilter } from '../../service/dead-letters.ts';
import { printList } from '../../service/print-list.ts';
import type { Columns } from '../../service/print-list.ts';
import { Service } from '../../service/service.ts';
import type { ServiceOptions } from '../../service/service.ts';
import { timeText } from '../../terminal/time.ts';

interface ListArguments extends ServiceOptions, DeadLetterFilter {
  readonly output: 'text' | 'json';
}

/** Lists the dead letters, with the first reason of each. Throws as `Service` does. */
export async function listDeadLetters({ output, ...options }: ListArguments, io: Io): Promise<ExitCode> {
  const columns: Columns<DeadLetterView> = {
    ID: ({ id }) => id,
    AT: ({ at }) => timeText(io, at),
    FROM: ({ collection, subscription }) =>
      [collection, subscription].filter((part) => part !== undefined && part !== '').join('/'),
    WHAT: ({ kind, fragment, command }) => `${kind} ${fragment?.id ?? command?.name ?? ''}`.trim(),
    RULE: ({ violations: [first] }) => first?.rule ?? '',
    PLACE: ({ fragment, violations: [first] }) =>
      fragment === undefined || first === undefined ? '' : `${first.line}:${first.column}`,
    REASON: ({ violations: [first] }) => first?.message ?? '',
  };
  await printList(deadLetters(new Service(options, io), options), columns, output, io);
  return exitCode.done;
}
