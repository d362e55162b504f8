import { GroupInUseError, setPlace } from '#queue';
import { CommandError, exitCode } from '../../command-error.ts';
import type { ExitCode } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { withConsumerGroup } from './consumer-group.ts';
import type { GroupArguments } from './consumer-group.ts';

interface PlaceArguments extends GroupArguments {
  readonly collection: string;
  readonly cursor: string;
}

/**
 * Sets the change after which a group continues with a collection. Throws CommandError (64) if the cursor is
 * wrong, (3) if a consumer of the group runs, (69) if Redis does not respond.
 */
export async function setGroupPlace(
  { collection, cursor, ...options }: PlaceArguments,
  io: Io,
): Promise<ExitCode> {
  await withConsumerGroup(options, io, (group) =>
    setPlace(group, collection, cursor).catch((error: unknown) => {
      if (error instanceof RangeError) throw new CommandError(error.message, exitCode.usage);
      if (error instanceof GroupInUseError) throw new CommandError(error.message, exitCode.refused);
      throw error;
    }),
  );
  return exitCode.done;
}
