import type { RedisClient } from '../redis.ts';

/** Takes the lock, or renews it, unless another consumer has it. KEYS: lock. ARGV: consumer, milliseconds. */
const takeScript = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`;

/** KEYS: lock. ARGV: consumer. */
const endScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end`;

/**
 * The right to read a partition for a group. Redis would hand the entries of one stream to several consumers
 * in turn, and the order of a collection would be lost; so one reads, and the others stand by until it stops
 * or dies.
 */
export class ConsumerLock {
  #held = false;
  /** When the lock expires unless it is renewed, by `performance.now()`. */
  #expiresAt = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #redis: RedisClient;
  readonly #key: string;
  readonly #consumer: string;
  readonly #duration: number;

  /** @param duration milliseconds for which a lock outlives the last sign of life of its holder */
  constructor(redis: RedisClient, key: string, consumer: string, duration: number) {
    this.#redis = redis;
    this.#key = key;
    this.#consumer = consumer;
    this.#duration = duration;
  }

  /** Whether nobody else can have the lock. */
  get held(): boolean {
    return this.#held && performance.now() < this.#expiresAt;
  }

  /** Returns whether the lock is now ours; it is then renewed by itself until it ends or is lost. */
  async take(): Promise<boolean> {
    const expiresAt = performance.now() + this.#duration;
    this.#held = (await this.#redis.eval(takeScript, 1, this.#key, this.#consumer, this.#duration)) === 1;
    this.#expiresAt = expiresAt;
    this.#timer ??= setInterval(() => {
      if (this.#held) this.take().catch(() => {});
    }, this.#duration / 3).unref();
    return this.#held;
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#held) await this.#redis.eval(endScript, 1, this.#key, this.#consumer);
    this.#held = false;
  }
}
