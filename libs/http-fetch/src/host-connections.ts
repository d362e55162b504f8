import { Pool } from 'undici';

/**
 * The connections to hosts, which are kept open between requests. Each takes tens of kilobytes, so they are
 * kept to the hosts that were requested last, and no others.
 */
export class HostConnections {
  readonly #options: Pool.Options;
  readonly #hosts: number;
  /** By origin, the one that was requested last at the end. */
  readonly #pools = new Map<string, Pool>();
  /** Those with requests in progress that nobody else is to use. */
  readonly #ending = new Set<Pool>();

  /** @param hosts to how many origins connections are kept */
  constructor(options: Pool.Options, hosts: number) {
    this.#options = options;
    this.#hosts = hosts;
  }

  /** The connections to an origin. What is requested of them is not broken off when they are given up. */
  to(origin: string): Pool {
    const pool = this.#pools.get(origin) ?? new Pool(origin, this.#options);
    this.#pools.delete(origin);
    this.#pools.set(origin, pool);
    for (const [oldest] of this.#pools) {
      if (this.#pools.size <= this.#hosts) break;
      this.#giveUp(oldest);
    }
    return pool;
  }

  /** Breaks off what is in progress, and closes all connections. */
  async destroy(): Promise<void> {
    const pools = [...this.#pools.values(), ...this.#ending];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  #giveUp(origin: string): void {
    const pool = this.#pools.get(origin);
    this.#pools.delete(origin);
    if (pool === undefined) return;
    this.#ending.add(pool);
    const forget = (): void => void this.#ending.delete(pool);
    pool.close().then(forget, forget);
  }
}
