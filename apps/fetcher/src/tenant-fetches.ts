import { counted, LatestEntries, limitSource, nameOf, tenantOf } from '#core';
import type { Clock, HostBudget, NextFetch, Random, Store, Subscription } from '#core';

/** For how many milliseconds the limit of a tenant is believed. */
const belief = 1000;

/** Of how many tenants the limit is kept. */
const keptLimits = 10_000;

/** How many seconds of fetches a tenant may begin at once after a rest. */
const burstSeconds = 10;

/** For how many milliseconds places are given away; further fetches ask again after that time. */
const longestWait = 3_600_000;

/** More fetches than any tenant has in flight. */
const unlimited = 1_000_000_000;

interface TenantFetchPorts {
  readonly store: { readonly tenants: Pick<Store['tenants'], 'find'> };
  readonly budget: Pick<HostBudget, 'take'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Pick<Random, 'fraction'>;
  /** How many fetches a minute a tenant may have that has no limit of its own. */
  readonly perMinute: number;
  /** Called for each fetch that has to wait. */
  readonly delayed?: (tenant: string) => void;
}

interface FetchLimit {
  readonly perMinute: number;
  /** For people. */
  readonly reason: string;
  readonly at: number;
}

/**
 * Keeps the fetches of each tenant to its rate, over all fetchers: a fetch takes a place in the bucket of its
 * tenant, and is put off to the time of that place. So those that wait are fetched in the order in which they
 * came, and ask no more than once.
 */
export class TenantFetches {
  readonly #ports: TenantFetchPorts;
  readonly #limits = new LatestEntries<string, FetchLimit>(keptLimits);

  constructor(ports: TenantFetchPorts) {
    this.#ports = ports;
  }

  /**
   * Returns when a subscription that is due is to be fetched because of the limit of its tenant; undefined if
   * it may be fetched now: without a tenant, with a place that is free, or at the time of its place.
   */
  async delay({
    collection,
    nextFetchReason,
  }: Pick<Subscription, 'collection' | 'nextFetchReason'>): Promise<NextFetch | undefined> {
    const tenant = tenantOf(nameOf(collection));
    return tenant === undefined ? undefined : this.delayOf(tenant, nextFetchReason);
  }

  /**
   * Returns when something may be fetched for a tenant; undefined if that is now.
   * @param formerReason why it was put off before
   */
  async delayOf(tenant: string, formerReason?: string): Promise<NextFetch | undefined> {
    const { perMinute, reason } = await this.#limitOf(tenant);
    if (formerReason === reason) return undefined;
    const rate = perMinute / 60;
    const limits = { rate, burst: Math.max(1, rate * burstSeconds), connections: unlimited };
    // No host and no URL has a space.
    const { budget, random, delayed } = this.#ports;
    const place = await budget.take(`tenant ${tenant}`, limits, longestWait);
    if (place.kind === 'busy') return undefined;
    if (place.kind === 'granted') place.release();
    if (place.wait === 0) return undefined;
    delayed?.(tenant);
    if (place.kind === 'granted')
      return { nextFetchAt: new Date(this.#now + place.wait), nextFetchReason: reason };
    // They come back one by one, to ask for a place again.
    const wait = longestWait * (1 + random.fraction());
    return { nextFetchAt: new Date(this.#now + wait), nextFetchReason: `${reason}, and many others wait` };
  }

  async #limitOf(name: string): Promise<FetchLimit> {
    const known = this.#limits.get(name);
    if (known !== undefined && this.#now - known.at < belief) return known;
    const at = this.#now;
    const limits = (await this.#ports.store.tenants.find(name))?.limits ?? {};
    const { fetchesPerMinute: perMinute = this.#ports.perMinute } = limits;
    const source = limitSource({ limits }, 'fetchesPerMinute');
    const reason = `the tenant "${name}" may have ${counted(perMinute, 'fetches')} a minute (${source})`;
    const limit = { perMinute, reason, at };
    this.#limits.set(name, limit);
    return limit;
  }

  get #now(): number {
    return this.#ports.clock.now().getTime();
  }
}
