/** How jobs are worked on; every number has a default. Times are in milliseconds. */
export interface WorkerSettings {
  /** How long a job stays ours without a sign of life (20,000). */
  readonly lockDuration: number;
  /** How often jobs of dead workers are looked for (5,000). */
  readonly stalledInterval: number;
  /** How many deaths of its worker a job survives (10). */
  readonly maxStalledCount: number;
  /** How often a job is tried before it is given up (50); whatever its sender requested. */
  readonly attempts: number;
  /** The wait before the second attempt; it doubles with every further one (500). */
  readonly backoffFirst: number;
  /** The longest wait between two attempts (60,000). */
  readonly backoffMost: number;
  /** The longest wait before a job is tried again that met an outage, which uses up no attempt (5,000). */
  readonly outageBackoff: number;
  /** How many given-up jobs of a queue are kept to be looked at (1,000). */
  readonly keepFailed: number;
  /**
   * After how long a worker with a free place, that takes nothing while jobs wait, is replaced by a new one
   * (60,000).
   */
  readonly stuckAfter: number;
  /** How long closing waits for running jobs; Kubernetes gives 30 seconds in all (25,000). */
  readonly closeTimeout: number;
}

export const defaultWorkerSettings: WorkerSettings = {
  lockDuration: 20_000,
  stalledInterval: 5_000,
  maxStalledCount: 10,
  attempts: 50,
  backoffFirst: 500,
  backoffMost: 60_000,
  outageBackoff: 5_000,
  keepFailed: 1_000,
  stuckAfter: 60_000,
  closeTimeout: 25_000,
};

/**
 * The wait in milliseconds after the attempt with this number (from 1): exponential, capped, and drawn from
 * its upper half by `fraction` (0 to 1), so that jobs which failed together do not return together.
 */
export function retryDelay(
  attempt: number,
  fraction: number,
  settings: Pick<WorkerSettings, 'backoffFirst' | 'backoffMost'>,
): number {
  const most = Math.min(settings.backoffMost, settings.backoffFirst * 2 ** (attempt - 1));
  return Math.round(most / 2 + (fraction * most) / 2);
}
