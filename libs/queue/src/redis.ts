import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import type { RedisOptions } from 'ioredis';

/**
 * A connection that comes back by itself for as long as it is not closed. Takes a URL such as `redis://127.0.0.1:6379/0`;
 * `name` stands in the log. A fault is logged once, however often it repeats.
 */
export function openRedis(url: string, name: string, options: RedisOptions = {}): Redis {
  const logger = new Logger(name);
  const redis = new Redis(url, { retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 5), 1_000), ...options });
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
