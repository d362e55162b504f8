import { Redis } from 'ioredis';
import type { RedisOptions } from 'ioredis';
import { patient } from '../../support/redis-servers.ts';
import type { SentinelGroup } from '../../support/redis-servers.ts';
import { PipelineUnderTest } from '../pipeline/pipeline-under-test.ts';

/**
 * A pipeline whose Redis is the master that a Sentinel watches.
 * @param options of the connection that the test itself reads with
 */
export async function openWatchedPipeline(
  { sentinel }: SentinelGroup,
  options: RedisOptions = {},
): Promise<PipelineUnderTest> {
  const redis = new Redis({
    sentinels: [{ host: '127.0.0.1', port: sentinel.port }],
    name: 'mymaster',
    ...patient,
    ...options,
  });
  // It looks for the new master until there is one.
  redis.on('error', () => {});
  return PipelineUnderTest.open(
    {
      REDIS_URL: `redis+sentinel://127.0.0.1:${sentinel.port}/mymaster`,
      // One of two replicas has every event, and it is the one that takes over.
      STREAM_REPLICAS: '1',
    },
    redis,
  );
}
