import { LatestTenants } from './latest-tenants.ts';

interface Limits {
  /** Requests of a tenant in progress at the same time while other tenants send some too. */
  readonly requests: number;
  /** Requests of a tenant that wait at the most. */
  readonly waiting: number;
  /** Milliseconds that one waits at the most. */
  readonly wait: number;
  /** Milliseconds after which one in progress gives its place to one that waits. */
  readonly slow: number;
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
  /** When those that have places got them, in this order. */
  readonly held: Set<{ readonly since: number }>;
  /** In the order in which they came. */
  readonly waiting: Set<(outcome: WaitOutcome) => void>;
  /** Whether it is known when the oldest place is to be given to the next one. */
  isWatched: boolean;
}

/**
 * Lets requests of a tenant begin, only so many at the same time while others send some too; its further ones
 * wait, in the order in which they came, for its own alone. A tenant that is alone waits for nothing. A
 * request that is slow gives its place to one that waits.
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
      tenant = { name, held: new Set(), waiting: new Set(), isWatched: false };
      this.#tenants.set(name, tenant);
    }
    if (tenant.waiting.size === 0 && this.#isFree(tenant))
      return { begun: undefined, leave: this.#hold(tenant) };
    return tenant.waiting.size < this.#limits.waiting ? this.#queue(tenant) : undefined;
  }

  #isFree({ name, held }: Tenant): boolean {
    return held.size < this.#limits.requests || !this.#latest.hasOther(name, this.#now());
  }

  /** Returns what gives the place up. */
  #hold(tenant: Tenant): () => void {
    const place = { since: this.#now() };
    tenant.held.add(place);
    return () => {
      if (tenant.held.delete(place)) this.#beginNext(tenant);
    };
  }

  #queue(tenant: Tenant): Place {
    let leave = (): void => end('left');
    let end = (_outcome: WaitOutcome): void => {};
    const begun = new Promise<WaitOutcome>((resolve) => {
      end = (outcome) => {
        clearTimeout(timer);
        tenant.waiting.delete(end);
        leave = outcome === 'begun' ? this.#hold(tenant) : (): void => {};
        resolve(outcome);
      };
    });
    const timer = setTimeout(() => end('late'), this.#limits.wait);
    tenant.waiting.add(end);
    this.#watch(tenant);
    return { begun, leave: () => leave() };
  }

  #beginNext(tenant: Tenant): void {
    for (const begin of tenant.waiting) {
      if (!this.#isFree(tenant)) break;
      begin('begun');
    }
    if (tenant.held.size === 0) this.#tenants.delete(tenant.name);
  }

  /** While some wait, takes the places of those that have had them for too long. */
  #watch(tenant: Tenant): void {
    const [oldest] = tenant.held;
    if (tenant.isWatched || tenant.waiting.size === 0 || oldest === undefined) return;
    tenant.isWatched = true;
    const take = (): void => {
      tenant.isWatched = false;
      if (tenant.waiting.size === 0) return;
      const now = this.#now();
      for (const place of tenant.held) if (now - place.since >= this.#limits.slow) tenant.held.delete(place);
      this.#beginNext(tenant);
      this.#watch(tenant);
    };
    setTimeout(take, Math.max(1, oldest.since + this.#limits.slow - this.#now())).unref();
  }
}
