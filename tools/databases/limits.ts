/** How long the launcher waits for what, in milliseconds. */
export interface Limits {
  /** For a database or a service to be ready: `FEEDMESH_READY_SECONDS`, 60. */
  readonly ready: number;
  /** For a process to end after SIGTERM, before SIGKILL: `FEEDMESH_STOP_SECONDS`, 10. */
  readonly stop: number;
  /** For one download or installation: `FEEDMESH_DOWNLOAD_SECONDS`, 120. */
  readonly download: number;
}

/** A setting from the environment that is not what it should be; the message names it. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

/**
 * Reads the limits from the environment. Throws `SettingError` for anything but a positive number of seconds.
 */
export function readLimits(environment: NodeJS.ProcessEnv): Limits {
  return {
    ready: seconds(environment, 'FEEDMESH_READY_SECONDS', 60),
    stop: seconds(environment, 'FEEDMESH_STOP_SECONDS', 10),
    download: seconds(environment, 'FEEDMESH_DOWNLOAD_SECONDS', 120),
  };
}

function seconds(environment: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = environment[name];
  if (text === undefined || text === '') return fallback * 1000;
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0 || value > 86_400) {
    throw new SettingError(`${name} must be a number of seconds above 0 and at most 86400, not "${text}"`);
  }
  return value * 1000;
}
