import { retryDeadEvents } from '#queue';
import { exitCode } from '../../command-error.ts';
import type { ExitCode } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { Output } from '../../terminal/output.ts';
import { withConsumerGroup } from './consumer-group.ts';
import type { GroupArguments } from './consumer-group.ts';

interface RetryArguments extends GroupArguments {
  /** All dead events if there are none. */
  readonly ids: readonly string[];
}

/** Has dead events handled again, and prints how many. Throws CommandError (64, 69). */
export async function retryDead({ ids, ...options }: RetryArguments, io: Io): Promise<ExitCode> {
  const count = await withConsumerGroup(options, io, (group) =>
    retryDeadEvents(group, ids.length === 0 ? undefined : ids),
  );
  const output = new Output(io.stdout);
  await output.write(`${count} dead events are handled again\n`);
  await output.flush();
  return exitCode.done;
}
