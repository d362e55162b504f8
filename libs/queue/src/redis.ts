import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import type { RedisOptions } from 'ioredis';

/** How many milliseconds lie between two attempts to find the master after a failover. */
const failoverPause = 5_000;

/**
 * Whether to connect again after an error: if the server has become a replica, its address may lead to the
 * new master by now. Not more often than every few seconds, since it may as well stay one.
 */
function becameReplica(): (error: Error) => boolean {
  let last = -Infinity;
  return ({ message }) => {
    const now = performance.now();
    if (!message.startsWith('READONLY') || now - last < failoverPause) return false;
    last = now;
    return true;
  };
}

/**
 * A connection that comes back by itself for as long as it is not closed. Takes a URL such as
 * `redis://127.0.0.1:6379/0`; `name` stands in the log. A fault is logged once, however often it repeats.
 */
export function openRedis(url: string, name: string, options: RedisOptions = {}): Redis {
  const logger = new Logger(name);
  const redis = new Redis(url, {
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 5), 1_000),
    reconnectOnError: becameReplica(),
    ...options,
  });
  let fault: string | undefined;
  redis.on('error', (error: Error) => {
    if (error.message !== fault) logger.warn(`Redis: ${error.message}`);
    fault = error.message;
  });
  redis.on('ready', () => {
    if (fault !== undefined) logger.log('Redis is back');
    fault = undefined;
  });
  return redis;
}
