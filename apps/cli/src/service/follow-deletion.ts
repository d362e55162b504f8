import type { DeletionView } from '#contracts';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandError, exitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { barOf } from '../terminal/progress-bar.ts';
import { Progress } from '../terminal/progress.ts';
import { count } from '../terminal/text.ts';
import { collectionPath } from './service.ts';
import type { Service } from './service.ts';

/** Milliseconds between two looks. */
const pause = 250;

/**
 * Waits until a deletion has ended; on a terminal a bar shows how far it is.
 * @throws CommandError (1) if the person interrupts it or some of it could not be deleted; and as `Service`
 *   does
 */
export async function followDeletion(service: Service, begun: DeletionView, io: Io): Promise<void> {
  const interruption = io.interruption();
  const progress = new Progress(io);
  const path = collectionPath(begun.collection, 'deletions', begun.id);
  try {
    for (let deletion = begun; !interruption.aborted; deletion = await service.json<DeletionView>(path)) {
      if (deletion.state === 'done') return;
      if (deletion.state === 'failed')
        throw new CommandError(
          `${deletion.done} of ${count(deletion.total, 'outline')} were deleted: ${deletion.detail}`,
          exitCode.violations,
        );
      progress.show(`${barOf(deletion)} ${progressOf(deletion)}`);
      await delay(pause, undefined, { signal: interruption }).catch(() => undefined);
    }
  } finally {
    progress.clear();
  }
  throw new CommandError('interrupted; the service goes on with the deletion', exitCode.violations);
}

function progressOf({ done, total }: DeletionView): string {
  return `${done.toLocaleString('en-US')}/${count(total, 'outline')}`;
}
