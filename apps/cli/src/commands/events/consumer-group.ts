import { Logger } from '@nestjs/common';
import type { ConsumerGroup } from '#queue';
import { causeOf } from '../../cause.ts';
import { CommandError, exitCode } from '../../command-error.ts';
import { findRedis } from '../../databases/databases.ts';
import type { Io } from '../../io.ts';

export interface GroupOptions {
  /** How many partitions the stream has. */
  readonly partitions: number;
}

export interface GroupArguments extends GroupOptions {
  /** The name of the group. */
  readonly group: string;
}

/**
 * Does something with a group of consumers. Throws what that throws if it is a CommandError, and otherwise
 * CommandError (69).
 */
export async function withConsumerGroup<Result>(
  { group, partitions }: GroupArguments,
  io: Io,
  work: (group: ConsumerGroup) => Promise<Result>,
): Promise<Result> {
  const location = await findRedis(io);
  // The connection only logs its faults, and on stdout.
  Logger.overrideLogger(false);
  return work({ ...location, group, partitionCount: partitions }).catch((error: unknown) => {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`Redis does not respond: ${causeOf(error)}`, exitCode.noDatabase, {
      cause: error,
    });
  });
}
