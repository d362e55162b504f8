import type { Replies } from '#core';
import { ConnectionLog, openRedis } from './redis.ts';
import type { RedisClient, RedisLocation } from './redis.ts';
import { withTimeout } from './time-limit.ts';

/** For how many milliseconds a reply is kept that nobody has taken. */
const kept = 60_000;

/** How many milliseconds more than it waits a connection has. */
const leeway = 2_000;

interface RepliesOptions extends RedisLocation {
  /** `{feedmesh}` by default. */
  readonly prefix?: string;
  /** Milliseconds until sending throws `TimeLimitError` (10,000). */
  readonly sendTimeout?: number;
}

/**
 * Replies in Redis: a list each, which expires. Whoever waits for one has a connection for that alone, so
 * that only who sends has to close.
 */
export function openReplies({
  prefix = '{feedmesh}',
  sendTimeout = 10_000,
  ...location
}: RepliesOptions): Replies & { close(): void } {
  const log = new ConnectionLog('Replies');
  let connection: RedisClient | undefined;
  const keyOf = (name: string): string => `${prefix}:reply:${name}`;
  return {
    async send(name, reply) {
      const key = keyOf(name);
      connection ??= openRedis(location, { maxRetriesPerRequest: 3 }, log);
      const sent = connection.multi().rpush(key, JSON.stringify(reply)).pexpire(key, kept).exec();
      await withTimeout(sendTimeout, 'sendTimeout', sent);
    },
    async wait(name, milliseconds) {
      const limits = { maxRetriesPerRequest: 1, socketTimeout: milliseconds + leeway };
      const waiting = openRedis(location, limits, log);
      try {
        const found = await waiting.blpop(keyOf(name), milliseconds / 1000);
        return found === null ? undefined : (JSON.parse(found[1]) as unknown);
      } finally {
        waiting.disconnect();
      }
    },
    close() {
      connection?.disconnect();
    },
  };
}
