import { LatestEntries } from '#core';
import type { Clock, Tenant, TenantStore } from '#core';

/** For how many milliseconds the limits of a tenant hold before they are read again. */
const age = 5000;
/** How many tenants are remembered at the most, those that were read last. */
const rememberedTenants = 10_000;

interface Remembered {
  /** Undefined if there is none of the name. */
  readonly tenant: Pick<Tenant, 'limits'> | undefined;
  /** Milliseconds since 1970. */
  readonly readAt: number;
}

/** The limits of tenants, as the store had them within the last seconds. */
export class KnownLimits {
  readonly #store: Pick<TenantStore, 'find'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #remembered = new LatestEntries<string, Remembered>(rememberedTenants);
  readonly #reading = new Map<string, Promise<Remembered>>();

  constructor(store: Pick<TenantStore, 'find'>, clock: Pick<Clock, 'now'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Returns the limits that a tenant has of its own, undefined if there is no such tenant; a promise if
   * nothing is known of it yet. What is known is read again meanwhile, so that no request waits for that.
   */
  find(name: string): Remembered['tenant'] | Promise<Remembered['tenant']> {
    const known = this.#remembered.get(name);
    if (known !== undefined && !this.#isOld(known)) return known.tenant;
    const reading = this.#read(name, known);
    return known === undefined ? reading.then(({ tenant }) => tenant) : known.tenant;
  }

  #isOld({ readAt }: Remembered): boolean {
    const passed = this.#clock.now().getTime() - readAt;
    return passed < 0 || passed >= age;
  }

  /** Reads the limits; while the store is away, what is known holds, or what the settings say. */
  #read(name: string, known: Remembered | undefined): Promise<Remembered> {
    const reading =
      this.#reading.get(name) ??
      this.#store
        .find(name)
        .catch(() => known?.tenant ?? { limits: {} })
        .then((tenant) => {
          const remembered = { tenant, readAt: this.#clock.now().getTime() };
          this.#remembered.set(name, remembered);
          return remembered;
        })
        .finally(() => this.#reading.delete(name));
    this.#reading.set(name, reading);
    return reading;
  }
}
