import { budgetRecovery, fullBucket, refilledBucket, slowestShare } from '#core';
import type { BudgetAnswer, BudgetLimits, HostBudget, TokenBucket } from '#core';

/** What is known of a group. Times are in milliseconds since 1970. */
export interface BudgetState extends TokenBucket {
  readonly inFlight: number;
  /** Which part of its limits it had at `slowed`. */
  readonly share: number;
  readonly slowed: number;
  readonly pausedUntil: number;
}

/** A group that has rested. */
export function restedBudget({ burst }: BudgetLimits, now: number): BudgetState {
  return { ...fullBucket({ burst }, now), inFlight: 0, share: 1, slowed: now, pausedUntil: 0 };
}

/** The state as it has become by now: tokens have come in, and what was slowed down has recovered. */
function recovered(state: BudgetState, { rate, burst }: BudgetLimits, now: number): BudgetState {
  const share = Math.min(1, state.share * 2 ** ((now - state.slowed) / budgetRecovery));
  const limits = { rate: rate * share, burst: Math.max(1, burst * share) };
  return { ...state, ...refilledBucket(state, limits, now), share, slowed: now };
}

type Outcome = { readonly kind: BudgetAnswer['kind']; readonly wait: number; readonly state: BudgetState };

/** Asks for a request at `now`, as `HostBudget.take` does. */
export function takeFrom(former: BudgetState, limits: BudgetLimits, longest: number, now: number): Outcome {
  const state = recovered(former, limits, now);
  if (now < state.pausedUntil) return { kind: 'paused', wait: state.pausedUntil - now, state };
  if (state.inFlight >= Math.max(1, Math.floor(limits.connections * state.share)))
    return { kind: 'busy', wait: 0, state };
  const wait = Math.max(0, Math.ceil(((1 - state.tokens) / (limits.rate * state.share)) * 1000));
  if (wait > longest) return { kind: 'used-up', wait, state };
  return {
    kind: 'granted',
    wait,
    state: { ...state, inFlight: state.inFlight + 1, tokens: state.tokens - 1 },
  };
}

/** Slows a group down at `now`, as `HostBudget.slow` does. */
export function slowedDown(
  former: BudgetState,
  limits: BudgetLimits,
  pause: number,
  now: number,
): BudgetState {
  const state = recovered(former, limits, now);
  return {
    ...state,
    share: Math.max(slowestShare, state.share / 2),
    tokens: Math.min(state.tokens, 0),
    pausedUntil: Math.max(state.pausedUntil, now + pause),
  };
}

/** Budgets in memory. */
export class MemoryHostBudget implements HostBudget {
  readonly #now: () => number;
  readonly #groups = new Map<string, BudgetState>();

  constructor(now: () => number) {
    this.#now = now;
  }

  async take(group: string, limits: BudgetLimits, longest: number): Promise<BudgetAnswer> {
    const { kind, wait, state } = takeFrom(this.#stateOf(group, limits), limits, longest, this.#now());
    this.#groups.set(group, state);
    if (kind === 'busy') return { kind };
    if (kind !== 'granted') return { kind, wait };
    let isHeld = true;
    const release = (): void => {
      if (isHeld) this.#release(group);
      isHeld = false;
    };
    return { kind, wait, release };
  }

  async slow(group: string, limits: BudgetLimits, pause: number): Promise<void> {
    this.#groups.set(group, slowedDown(this.#stateOf(group, limits), limits, pause, this.#now()));
  }

  #release(group: string): void {
    const state = this.#groups.get(group);
    if (state !== undefined) this.#groups.set(group, { ...state, inFlight: Math.max(0, state.inFlight - 1) });
  }

  #stateOf(group: string, limits: BudgetLimits): BudgetState {
    return this.#groups.get(group) ?? restedBudget(limits, this.#now());
  }
}
