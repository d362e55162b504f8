import { countRefusal } from '#service';
import { ProblemError } from '../problems/problem-error.ts';

/** How much may run at the same time, and the setting that this is. */
interface Maximum {
  readonly maximum: number;
  readonly setting: string;
}

/** What is limited, in words for a client: `feeds, outlines and files that are sent at the same time`. */
interface Limited extends Maximum {
  readonly what: string;
  /** Seconds after which a client may try again. */
  readonly retryAfter: number;
  /** What one tenant may have of it, with the name of this limit in the metric of refusals. */
  readonly ofTenant?: Maximum & { readonly name: string };
}

/** Lets only so much work of a kind run at the same time, and only so much of one tenant. */
export class ConcurrencyLimit {
  readonly #limited: Limited;
  readonly #runningOf = new Map<string, number>();
  #running = 0;

  constructor(limited: Limited) {
    this.#limited = limited;
  }

  /**
   * Runs work, and throws what it throws; throws `ProblemError` with `Retry-After`, and runs nothing, at the
   * limit: 503, or 429 at that of the tenant.
   * @param tenant that it is done for, if it is done for one
   */
  async run<Result>(work: () => Promise<Result>, tenant?: string): Promise<Result> {
    const { maximum, ofTenant } = this.#limited;
    if (this.#running >= maximum) throw this.#refusal();
    if (tenant === undefined || ofTenant === undefined) return this.#count(work);
    const own = this.#runningOf.get(tenant) ?? 0;
    if (own >= ofTenant.maximum) {
      countRefusal(tenant, ofTenant.name);
      throw this.#tenantRefusal(tenant, ofTenant);
    }
    this.#runningOf.set(tenant, own + 1);
    try {
      return await this.#count(work);
    } finally {
      const left = (this.#runningOf.get(tenant) ?? 1) - 1;
      if (left > 0) this.#runningOf.set(tenant, left);
      else this.#runningOf.delete(tenant);
    }
  }

  async #count<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
    }
  }

  #refusal(): ProblemError {
    const { maximum, what, setting } = this.#limited;
    return this.#problem(
      503,
      'too-many-readers',
      `This gateway allows ${maximum} ${what} (setting ${setting}).`,
    );
  }

  #tenantRefusal(tenant: string, { maximum, setting }: Maximum): ProblemError {
    const detail =
      `This gateway allows the tenant "${tenant}" ${maximum} ${this.#limited.what} ` +
      `(setting ${setting}).`;
    return this.#problem(429, 'tenant-throttled', detail);
  }

  #problem(status: 429 | 503, rule: 'tenant-throttled' | 'too-many-readers', detail: string): ProblemError {
    const { retryAfter } = this.#limited;
    const text = `${detail} Try again in ${retryAfter} seconds.`;
    return new ProblemError(status, rule, text, {}, { 'Retry-After': String(retryAfter) });
  }
}
