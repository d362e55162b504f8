import { Inject, Injectable, Logger } from '@nestjs/common';
import type { OnModuleDestroy } from '@nestjs/common';
import type { CollectionKey } from '#core';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';

/** How often a collection that is waited for is looked at, in milliseconds. */
const interval = 250;

interface Waiter {
  readonly after: number;
  readonly end: (newer: boolean) => void;
}

/**
 * Waits for publications: however many clients wait for a collection, it is looked at once for all of them.
 */
@Injectable()
export class PublicationWatch implements OnModuleDestroy {
  readonly #logger = new Logger(PublicationWatch.name);
  readonly #waiting = new Map<CollectionKey, Set<Waiter>>();
  #closed = false;

  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  /** Whether the gateway is shutting down: nobody should wait again. */
  get closed(): boolean {
    return this.#closed;
  }

  /**
   * Returns true once something above `after` is published (or the collection is removed), false after so
   * many milliseconds, at the signal and at shutdown.
   */
  async newer(
    key: CollectionKey,
    after: number,
    milliseconds: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (this.#closed || signal.aborted) return false;
    const waiters = this.#waitersFor(key);
    return new Promise((resolve) => {
      const end = (newer: boolean): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', give);
        waiters.delete(waiter);
        resolve(newer);
      };
      const give = (): void => end(false);
      const timer = setTimeout(give, milliseconds);
      const waiter: Waiter = { after, end };
      signal.addEventListener('abort', give, { once: true });
      waiters.add(waiter);
    });
  }

  /** Ends every wait. */
  onModuleDestroy(): void {
    this.#closed = true;
    for (const waiters of this.#waiting.values()) for (const { end } of waiters) end(false);
  }

  #waitersFor(key: CollectionKey): Set<Waiter> {
    const existing = this.#waiting.get(key);
    if (existing) return existing;
    const waiters = new Set<Waiter>();
    this.#waiting.set(key, waiters);
    void this.#look(key, waiters);
    return waiters;
  }

  async #look(key: CollectionKey, waiters: Set<Waiter>): Promise<void> {
    const { store, clock } = this.ports;
    do {
      await clock.wait(interval);
      try {
        const sequence = (await store.collections.find(key))?.publication.sequence ?? Infinity;
        for (const { after, end } of waiters) if (sequence > after) end(true);
      } catch (error) {
        this.#logger.warn(`${key} could not be looked at: ${String(error)}`);
      }
    } while (waiters.size > 0);
    this.#waiting.delete(key);
  }
}
