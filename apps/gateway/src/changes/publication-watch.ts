import { Inject, Injectable, Logger } from '@nestjs/common';
import type { OnModuleDestroy } from '@nestjs/common';
import type { CollectionKey } from '#core';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';

/** How long the pause between two looks is at least, in milliseconds. */
const pause = 50;

/** How many times as long as a look the pause after it is at least, so that looking stays a small part. */
const restFactor = 4;

interface Waiter {
  readonly after: ReadonlyMap<CollectionKey, number>;
  readonly end: (newer: boolean) => void;
}

/**
 * Waits for publications: however many clients wait, and for however many collections, one look reads how far
 * all of these are published.
 */
@Injectable()
export class PublicationWatch implements OnModuleDestroy {
  readonly #logger = new Logger(PublicationWatch.name);
  readonly #waiting = new Map<CollectionKey, Set<Waiter>>();
  #isLooking = false;
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
    return this.newerAmong(new Map([[key, after]]), milliseconds, signal);
  }

  /** The same for several collections: returns true once one of them is published above its sequence. */
  async newerAmong(
    after: ReadonlyMap<CollectionKey, number>,
    milliseconds: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (this.#closed || signal.aborted) return false;
    return new Promise((resolve) => {
      const end = (newer: boolean): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', give);
        for (const key of after.keys()) this.#waiting.get(key)?.delete(waiter);
        resolve(newer);
      };
      const give = (): void => end(false);
      const timer = setTimeout(give, milliseconds);
      const waiter: Waiter = { after, end };
      signal.addEventListener('abort', give, { once: true });
      for (const key of after.keys()) this.#waitersOf(key).add(waiter);
      if (!this.#isLooking) void this.#lookWhileNeeded();
    });
  }

  #waitersOf(key: CollectionKey): Set<Waiter> {
    const waiters = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, waiters);
    return waiters;
  }

  /** Ends every wait. */
  onModuleDestroy(): void {
    this.#closed = true;
    for (const waiters of this.#waiting.values()) for (const { end } of waiters) end(false);
  }

  async #lookWhileNeeded(): Promise<void> {
    this.#isLooking = true;
    let rest = pause;
    for (;;) {
      await this.ports.clock.wait(rest);
      for (const [key, { size }] of this.#waiting) if (size === 0) this.#waiting.delete(key);
      if (this.#waiting.size === 0) break;
      const startedAt = performance.now();
      await this.#look([...this.#waiting.keys()]);
      rest = Math.max(pause, restFactor * (performance.now() - startedAt));
    }
    this.#isLooking = false;
  }

  async #look(keys: readonly CollectionKey[]): Promise<void> {
    try {
      const sequences = await this.ports.store.collections.sequences(keys);
      for (const key of keys) {
        const sequence = sequences.get(key) ?? Infinity;
        for (const { after, end } of this.#waiting.get(key) ?? [])
          if (sequence > (after.get(key) ?? 0)) end(true);
      }
    } catch (error) {
      this.#logger.warn(`${keys.length} collections could not be looked at: ${String(error)}`);
    }
  }
}
