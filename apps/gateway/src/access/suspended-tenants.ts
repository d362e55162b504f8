import { permitsScope, tenantOf } from '#core';
import type { Clock, TenantStore } from '#core';
import { ProblemError } from '../problems/problem-error.ts';
import { accessAge } from './access-age.ts';
import type { Principal } from './principal.ts';

/** Whether a caller administers all collections: those of suspended tenants too. */
export function administersAll(principal: Pick<Principal, 'grants'> | undefined): boolean {
  return principal !== undefined && permitsScope(principal.grants, 'admin', '*');
}

/** The tenants that are suspended, as the store had them within the last moments. */
export class SuspendedTenants {
  readonly #store: Pick<TenantStore, 'suspended'>;
  readonly #clock: Pick<Clock, 'now'>;
  #names: ReadonlySet<string> = new Set();
  /** Milliseconds since 1970. */
  #readAt = 0;
  #reading: Promise<void> | undefined;

  constructor(store: Pick<TenantStore, 'suspended'>, clock: Pick<Clock, 'now'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Whether the collection with this name is of a suspended tenant. Throws what the store throws. */
  async includes(collection: string): Promise<boolean> {
    const tenant = tenantOf(collection);
    if (tenant === undefined) return false;
    const age = this.#clock.now().getTime() - this.#readAt;
    if (age < 0 || age >= accessAge) await (this.#reading ??= this.#read());
    return this.#names.has(tenant);
  }

  /**
   * Throws `ProblemError` 403 `tenant-suspended` if the collection with this name is of a suspended tenant,
   * unless the caller administers all collections, and what the store throws.
   */
  async check(principal: Pick<Principal, 'grants'> | undefined, collection: string): Promise<void> {
    if (!(await this.includes(collection)) || administersAll(principal)) return;
    throw new ProblemError(
      403,
      'tenant-suspended',
      `The tenant "${tenantOf(collection)}" is suspended. Whoever runs this installation can say why.`,
    );
  }

  async #read(): Promise<void> {
    const readAt = this.#clock.now().getTime();
    try {
      this.#names = new Set(await this.#store.suspended());
      this.#readAt = readAt;
    } finally {
      this.#reading = undefined;
    }
  }
}
