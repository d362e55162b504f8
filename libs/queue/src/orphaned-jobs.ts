import type { RedisClient } from './redis.ts';

/**
 * Finds the jobs of a queue that are locked by a worker which does not run them: a failover of Redis has lost
 * that they had ended. Nobody would take them before their locks end.
 */
export class OrphanedJobs {
  readonly #connection: RedisClient;
  readonly #queue: string;
  /** Those that the last search found: they may have ended since. */
  #suspects: ReadonlySet<string> = new Set();

  /**
   * @param connection that of the worker, so that the end of a job is not overtaken
   * @param queue its prefix and name, as the keys of its jobs begin
   */
  constructor(connection: RedisClient, queue: string) {
    this.#connection = connection;
    this.#queue = queue;
  }

  /**
   * Removes the locks of those that this search finds and the last one found, so that the next search for
   * stalled jobs gives them to whoever is free. Returns their ids.
   * @param running whether the worker runs a job now
   */
  async release(worker: string, running: (id: string) => boolean): Promise<string[]> {
    const active = await this.#connection.lrange(`${this.#queue}:active`, 0, -1);
    if (active.length === 0) return [];
    const lockOf = (id: string): string => `${this.#queue}:${id}:lock`;
    const locks = await this.#connection.mget(active.map(lockOf));
    const found = active.filter((id, place) => locks[place]?.startsWith(`${worker}:`) && !running(id));
    const orphans = found.filter((id) => this.#suspects.has(id));
    this.#suspects = new Set(found);
    if (orphans.length > 0) await this.#connection.del(orphans.map(lockOf));
    return orphans;
  }
}
