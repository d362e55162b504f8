import type { ServerResponse } from 'node:http';
import { tenantOf } from '#core';
import type { Clock } from '#core';
import { accessAge } from './access-age.ts';
import type { IssuedKeys } from './issued-keys.ts';
import type { SuspendedTenants } from './suspended-tenants.ts';
import type { Principal } from './principal.ts';

/** A response in progress to someone whose key may be revoked meanwhile. */
interface Watched {
  readonly principal: Principal;
  readonly since: number;
}

/**
 * Cuts off responses in progress, such as event streams, once the key that requested them is accepted no
 * more.
 */
export class OpenResponses {
  readonly #keys: IssuedKeys;
  readonly #suspended: SuspendedTenants;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #watched = new Map<ServerResponse, Watched>();
  /** The collections of tenants that responses in progress are about. */
  readonly #about = new Map<ServerResponse, string>();

  constructor(keys: IssuedKeys, suspended: SuspendedTenants, clock: Pick<Clock, 'now'>) {
    this.#keys = keys;
    this.#suspended = suspended;
    this.#clock = clock;
  }

  /** Looks at a response from time to time until it ends. */
  watch(principal: Principal, response: ServerResponse): void {
    if (principal.isValid === undefined) return;
    this.#watched.set(response, { principal, since: this.#clock.now().getTime() });
    response.once('close', () => this.#watched.delete(response));
  }

  /** Looks at a response about a collection from time to time until it ends. */
  watchCollection(collection: string, response: ServerResponse): void {
    if (tenantOf(collection) === undefined) return;
    this.#about.set(response, collection);
    response.once('close', () => this.#about.delete(response));
  }

  /**
   * Reads what the store says now of the keys of all responses in progress, and disconnects those whose key
   * is accepted no more, or whose tenant is suspended; called twice a second. Throws what the store throws.
   */
  async check(): Promise<void> {
    for (const [response, collection] of this.#about)
      if (await this.#suspended.includes(collection)) response.destroy();
    const now = this.#clock.now().getTime();
    const open = [...this.#watched].filter(([, { since }]) => now - since >= accessAge);
    if (open.length === 0) return;
    const keys = open.flatMap(([, { principal }]) => (principal.kind === 'token' ? [] : [principal.id]));
    await this.#keys.refresh([...new Set(keys)]);
    for (const [response, { principal }] of open) if (principal.isValid?.() === false) response.destroy();
  }
}
