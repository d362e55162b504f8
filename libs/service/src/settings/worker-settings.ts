import type { z } from 'zod';
import type { serviceSettings } from './service-settings.ts';

type JobConfiguration = Pick<
  z.output<typeof serviceSettings>,
  'JOB_LOCK_MS' | 'JOB_STALLED_CHECK_MS' | 'SHUTDOWN_GRACE_SECONDS'
>;

/** How a service's workers deal with its jobs, in milliseconds, as `BullServer` takes it. */
export function workerSettings({
  JOB_LOCK_MS,
  JOB_STALLED_CHECK_MS,
  SHUTDOWN_GRACE_SECONDS,
}: JobConfiguration): {
  readonly lockDuration: number;
  readonly stalledInterval: number;
  readonly closeTimeout: number;
} {
  return {
    lockDuration: JOB_LOCK_MS,
    stalledInterval: JOB_STALLED_CHECK_MS,
    closeTimeout: SHUTDOWN_GRACE_SECONDS * 1000,
  };
}
