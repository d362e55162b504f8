import {
  exceededKind,
  isSmallGrowth,
  LatestEntries,
  limitSource,
  nothingStored,
  storedKinds,
  withGrowth,
} from '#core';
import type { Clock, Store, StoredReading, StoredUsage, Tenant, TenantLimit } from '#core';

/** For how many milliseconds a reading is believed while there is much left. */
const belief = 1000;

/** Of how many tenants one process keeps a reading. */
const keptReadings = 10_000;

interface Reading extends StoredReading {
  readonly tenant: Pick<Tenant, 'name' | 'limits'>;
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  /** What was admitted since. */
  admitted: StoredUsage;
}

/** How often a usage is read anew because something was released in the meantime. */
const readingAttempts = 3;

/** What was released while a usage is read: it may be stored without being in what is read. */
interface Released {
  usage: StoredUsage;
}

/** What holding writes against limits needs. */
export interface LimitPorts {
  readonly store: { readonly tenants: Pick<Store['tenants'], 'find' | 'stored' | 'counted'> };
  readonly clock: Pick<Clock, 'now'>;
  /** What tenants may have that have no limits of their own. */
  readonly defaults: StoredUsage;
  /** Called for each write that is refused, as a whole or in part. */
  readonly refused?: (limit: TenantLimit) => void;
}

/** What becomes of some growth. */
export interface Admission {
  /** Of each piece of it the limit that it exceeds, in their order; undefined for what is admitted. */
  readonly exceeded: readonly (TenantLimit | undefined)[];
  /** Whether so little is left that what is written has to be counted before anyone writes more. */
  readonly isNear: boolean;
}

/**
 * Holds what is written for tenants against their limits. The usage is read at most once a second and tenant
 * while a process takes less than a hundredth of what is left, and before each write when it takes more. So
 * together processes may exceed a limit by what they write at the same time, and each by a hundredth of what
 * was left a second before.
 */
export class StoredLimits {
  readonly #ports: LimitPorts;
  readonly #readings = new LatestEntries<string, Reading>(keptReadings);
  readonly #inFlight = new Map<string, { readonly reading: Promise<Reading>; readonly released: Released }>();
  /** What is being written for each tenant and can't be counted yet. */
  readonly #reserved = new Map<string, StoredUsage>();

  constructor(ports: LimitPorts) {
    this.#ports = ports;
  }

  /** Reads the usage of a tenant if it will be needed, while something else is read. */
  prepare(tenant: string): void {
    // Whoever needs it reads again, and gets the error.
    if (!this.#isFresh(this.#readings.get(tenant))) this.#read(tenant).catch(() => {});
  }

  /**
   * Decides about pieces of growth of a tenant, one after the other.
   * @param isReserved whether they are counted as being written until they are released
   */
  async admit(tenant: string, pieces: readonly StoredUsage[], isReserved = false): Promise<Admission> {
    const total = pieces.reduce(withGrowth, nothingStored);
    if (storedKinds.every((kind) => total[kind] === 0))
      return { exceeded: pieces.map(() => undefined), isNear: false };
    const known = this.#readings.get(tenant);
    const isEnough =
      this.#isFresh(known) && isSmallGrowth(known, withGrowth(this.#taken(tenant, known), total));
    const reading = isEnough ? known : await this.#read(tenant);
    const exceeded = pieces.map((growth) => this.#decide(reading, growth, isReserved));
    const refusal = exceeded.find((limit) => limit !== undefined);
    if (refusal !== undefined) this.#ports.refused?.(refusal);
    return { exceeded, isNear: !isSmallGrowth(reading, this.#taken(tenant, reading)) };
  }

  /** Gives back what was reserved. */
  release(tenant: string, released: StoredUsage): void {
    const reading = this.#readings.get(tenant);
    // It may be stored, and not be in the reading.
    if (reading !== undefined) reading.admitted = withGrowth(reading.admitted, released);
    const inFlight = this.#inFlight.get(tenant)?.released;
    if (inFlight !== undefined) inFlight.usage = withGrowth(inFlight.usage, released);
    const { items, bytes, files } = released;
    const left = this.#reserved.get(tenant);
    if (left === undefined) return;
    const rest = { items: left.items - items, bytes: left.bytes - bytes, files: left.files - files };
    if (storedKinds.every((kind) => rest[kind] <= 0)) this.#reserved.delete(tenant);
    else this.#reserved.set(tenant, rest);
  }

  /** Resolves once what this process has written is counted for all. */
  async counted(): Promise<void> {
    await this.#ports.store.tenants.counted();
  }

  #decide(reading: Reading, growth: StoredUsage, isReserved: boolean): TenantLimit | undefined {
    const { tenant, limits, usage } = reading;
    const taken = this.#taken(tenant.name, reading);
    const kind = exceededKind({ limits, usage: withGrowth(usage, taken) }, growth);
    if (kind === undefined) {
      if (isReserved)
        this.#reserved.set(tenant.name, withGrowth(this.#reserved.get(tenant.name) ?? nothingStored, growth));
      else reading.admitted = withGrowth(reading.admitted, growth);
      return undefined;
    }
    return {
      tenant: tenant.name,
      what: kind,
      value: limits[kind],
      source: limitSource(tenant, kind),
      usage: usage[kind] + taken[kind],
    };
  }

  #taken(tenant: string, { admitted }: Reading): StoredUsage {
    return withGrowth(this.#reserved.get(tenant) ?? nothingStored, admitted);
  }

  #isFresh(reading: Reading | undefined): reading is Reading {
    return reading !== undefined && this.#now - reading.at < belief;
  }

  /** Reads the usage; those who ask while a reading is in flight share it. */
  #read(name: string): Promise<Reading> {
    const shared = this.#inFlight.get(name);
    if (shared !== undefined) return shared.reading;
    const released = { usage: nothingStored };
    const reading = this.#readNow(name, released).finally(() => this.#inFlight.delete(name));
    this.#inFlight.set(name, { reading, released });
    return reading;
  }

  async #readNow(name: string, released: Released, attempt = 1): Promise<Reading> {
    const { store, defaults } = this.#ports;
    const at = this.#now;
    released.usage = nothingStored;
    const [found, usage] = await Promise.all([store.tenants.find(name), store.tenants.stored(name)]);
    if (released.usage !== nothingStored && attempt < readingAttempts)
      return this.#readNow(name, released, attempt + 1);
    const tenant = { name, limits: found?.limits ?? {} };
    const { items, bytes, files } = { ...defaults, ...tenant.limits };
    const reading = { tenant, at, limits: { items, bytes, files }, usage, admitted: released.usage };
    this.#readings.set(name, reading);
    return reading;
  }

  get #now(): number {
    return this.#ports.clock.now().getTime();
  }
}
