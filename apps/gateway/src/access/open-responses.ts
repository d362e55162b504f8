import type { Response } from 'express';
import type { Clock } from '#core';
import { keyAge } from './issued-keys.ts';
import type { IssuedKeys } from './issued-keys.ts';
import type { Principal } from './principal.ts';

/** After how many milliseconds a response in progress is one whose key is looked at again. */
const openAfter = keyAge;

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
  readonly #clock: Pick<Clock, 'now'>;
  readonly #watched = new Map<Response, Watched>();

  constructor(keys: IssuedKeys, clock: Pick<Clock, 'now'>) {
    this.#keys = keys;
    this.#clock = clock;
  }

  /** Looks at a response from time to time until it ends. */
  watch(principal: Principal, response: Response): void {
    if (principal.isValid === undefined) return;
    this.#watched.set(response, { principal, since: this.#clock.now().getTime() });
    response.once('close', () => this.#watched.delete(response));
  }

  /**
   * Reads what the store says now of the keys of all responses in progress, and disconnects those whose key
   * is accepted no more; called twice a second. Throws what the store throws.
   */
  async check(): Promise<void> {
    const now = this.#clock.now().getTime();
    const open = [...this.#watched].filter(([, { since }]) => now - since >= openAfter);
    if (open.length === 0) return;
    await this.#keys.refresh([...new Set(open.map(([, { principal }]) => principal.id))]);
    for (const [response, { principal }] of open) if (principal.isValid?.() === false) response.destroy();
  }
}
