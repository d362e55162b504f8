import { LatestTenants } from './latest-tenants.ts';

interface Limits {
  /** Requests of a tenant in progress at the same time while other tenants send some too. */
  readonly requests: number;
  /** Requests of a tenant that wait at the most. */
  readonly waiting: number;
  /** Milliseconds that one waits at the most. */
  readonly wait: number;
}

/** What comes of waiting: the request may begin, has waited for too long, or was given up meanwhile. */
export type WaitOutcome = 'begun' | 'late' | 'left';

/** The place of a request among those of its tenant. */
export interface Place {
  /** Resolves once it is known what comes of waiting; undefined if the request may begin at once. */
  readonly begun: Promise<WaitOutcome> | undefined;
  /** Gives the place, or the waiting for it, up; may be called again. */
  readonly leave: () => void;
}

interface Tenant {
  readonly name: string;
  inProgress: number;
  /** In the order in which they came. */
  readonly waiting: Set<(outcome: WaitOutcome) => void>;
}

/**
 * Lets requests of a tenant begin, only so many at the same time while others send some too; its further ones
 * wait, in the order in which they came, for its own alone. A tenant that is alone waits for nothing.
 */
export class TenantPlaces {
  readonly #limits: Limits;
  readonly #now: () => number;
  readonly #latest = new LatestTenants();
  /** Those that have requests in progress. */
  readonly #tenants = new Map<string, Tenant>();

  /** @param now in milliseconds since any moment */
  constructor(limits: Limits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Takes a place for a request of a tenant, or waits for one; undefined if too many wait already. */
  enter(name: string): Place | undefined {
    this.#latest.note(name, this.#now());
    let tenant = this.#tenants.get(name);
    if (tenant === undefined) {
      tenant = { name, inProgress: 0, waiting: new Set() };
      this.#tenants.set(name, tenant);
    }
    if (tenant.waiting.size === 0 && this.#isFree(tenant)) {
      tenant.inProgress += 1;
      return this.#held(tenant);
    }
    return tenant.waiting.size < this.#limits.waiting ? this.#queued(tenant) : undefined;
  }

  #isFree({ name, inProgress }: Tenant): boolean {
    return inProgress < this.#limits.requests || !this.#latest.hasOther(name, this.#now());
  }

  #held(tenant: Tenant): Place {
    let isHeld = true;
    const leave = (): void => {
      if (isHeld) this.#leave(tenant);
      isHeld = false;
    };
    return { begun: undefined, leave };
  }

  #queued(tenant: Tenant): Place {
    let state: WaitOutcome | 'waiting' = 'waiting';
    let end = (_outcome: WaitOutcome): void => {};
    const begun = new Promise<WaitOutcome>((resolve) => {
      end = (outcome) => {
        clearTimeout(timer);
        tenant.waiting.delete(end);
        state = outcome;
        resolve(outcome);
      };
    });
    const timer = setTimeout(() => end('late'), this.#limits.wait);
    tenant.waiting.add(end);
    const leave = (): void => {
      if (state === 'waiting') end('left');
      else if (state === 'begun') {
        state = 'left';
        this.#leave(tenant);
      }
    };
    return { begun, leave };
  }

  #leave(tenant: Tenant): void {
    tenant.inProgress -= 1;
    for (const begin of tenant.waiting) {
      if (!this.#isFree(tenant)) break;
      tenant.inProgress += 1;
      begin('begun');
    }
    if (tenant.inProgress === 0) this.#tenants.delete(tenant.name);
  }
}
