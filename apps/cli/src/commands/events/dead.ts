import { Readable } from 'node:stream';
import { listDeadEvents } from '#queue';
import type { DeadEvent } from '#queue';
import { exitCode } from '../../command-error.ts';
import type { ExitCode } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { printList } from '../../service/print-list.ts';
import type { Columns } from '../../service/print-list.ts';
import { timeText } from '../../terminal/time.ts';
import { withConsumerGroup } from './consumer-group.ts';
import type { GroupArguments } from './consumer-group.ts';

interface DeadArguments extends GroupArguments {
  readonly output: 'text' | 'json';
}

/** Lists the dead events of a group, with the first line of each error. Throws CommandError (64, 69). */
export async function listDead({ output, ...options }: DeadArguments, io: Io): Promise<ExitCode> {
  const dead = await withConsumerGroup(options, io, listDeadEvents);
  const columns: Columns<DeadEvent> = {
    ID: ({ id }) => id,
    AT: ({ at }) => timeText(io, at),
    EVENT: ({ event }) => event.id,
    TYPE: ({ event }) => event.type,
    SUBJECT: ({ event }) => event.subject,
    ATTEMPTS: ({ attempts }) => attempts,
    ERROR: ({ error }) => error.split('\n')[0] ?? '',
  };
  await printList(Readable.from(dead), columns, output, io);
  return exitCode.done;
}
