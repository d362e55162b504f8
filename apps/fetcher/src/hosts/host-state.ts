/** How requests to one host are limited. Times are in milliseconds. */
export interface HostLimits {
  /** Requests in flight to a host. */
  readonly connections: number;
  /** Failures in a row after which a host is paused. */
  readonly failures: number;
  /** How long the first pause is; each further one is twice as long, up to the longest. */
  readonly pause: number;
  readonly longestPause: number;
}

/** What one process knows of a host. */
export interface HostState {
  readonly inFlight: number;
  /** Failures in a row, and pauses since the last success. */
  readonly failures: number;
  readonly pauses: number;
  /** When the pause ends or ended, in milliseconds since 1970; 0 without one. */
  readonly pausedUntil: number;
  /** Why the last request failed; empty if it did not. */
  readonly reason: string;
  /** Whether the host itself requested the pause. */
  readonly isRequested?: true;
}

/** Whether a request may be sent: `busy` until another one has ended, `paused` until a time. */
export type HostAccess = 'open' | 'busy' | 'paused';

export const idleHost: HostState = { inFlight: 0, failures: 0, pauses: 0, pausedUntil: 0, reason: '' };

/** How far random may lengthen a pause, as a share of it. */
const jitter = 0.1;

/**
 * Returns how many more requests may be sent to a host at `now` (milliseconds since 1970). After a failure,
 * and so after a pause, that is one at a time until a request succeeds.
 */
export function freeSlots(state: HostState, now: number, limits: HostLimits): number {
  if (now < state.pausedUntil) return 0;
  return Math.max(0, (state.failures === 0 ? limits.connections : 1) - state.inFlight);
}

export function accessTo(state: HostState, now: number, limits: HostLimits): HostAccess {
  if (now < state.pausedUntil) return 'paused';
  return freeSlots(state, now, limits) > 0 ? 'open' : 'busy';
}

/** Pauses a host until a time that it requested itself, unless it is paused for longer. */
export function requestedPause(state: HostState, until: number, reason: string): HostState {
  return until <= state.pausedUntil ? state : { ...state, pausedUntil: until, reason, isRequested: true };
}

/** A host that answers has no failures and no pause, whatever was before. */
export function afterSuccess({ inFlight }: HostState): HostState {
  return { ...idleHost, inFlight };
}

/**
 * Counts a failure, and pauses the host if there are enough in a row. Requests that were sent before a pause
 * and fail during it do not lengthen it.
 * @param fraction from 0 (included) to 1 (excluded): hosts that failed together do not return together
 */
export function afterFailure(
  state: HostState,
  reason: string,
  { now, fraction }: { readonly now: number; readonly fraction: number },
  limits: HostLimits,
): HostState {
  const { isRequested, ...rest } = state;
  const failed = { ...rest, failures: state.failures + 1, reason };
  if (now < state.pausedUntil) return isRequested ? { ...state, failures: failed.failures } : failed;
  if (failed.failures < limits.failures) return failed;
  const pause = Math.min(
    limits.pause * 2 ** Math.min(state.pauses, 30) * (1 + jitter * fraction),
    limits.longestPause,
  );
  return { ...failed, pauses: state.pauses + 1, pausedUntil: now + Math.round(pause) };
}
