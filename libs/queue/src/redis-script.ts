import { createHash } from 'node:crypto';
import type { RedisClient } from './redis.ts';

/** A script in Lua that Redis knows by its SHA-1 after it has run once, until Redis restarts. */
export class RedisScript {
  readonly #source: string;
  readonly #digest: string;

  constructor(source: string) {
    this.#source = source;
    this.#digest = createHash('sha1').update(source).digest('hex');
  }

  /** Runs the script and returns what it returns; throws as Redis does. */
  async run(
    redis: RedisClient,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown> {
    try {
      return await redis.evalsha(this.#digest, keys.length, ...keys, ...args);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return redis.eval(this.#source, keys.length, ...keys, ...args);
    }
  }
}
