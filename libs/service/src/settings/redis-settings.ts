import { z } from 'zod';
import { parseRedisUrl, RedisAddressError } from '#queue';
import type { RedisLocation } from '#queue';
import { optionalText, wholeNumber } from './setting-kinds.ts';
import { readTlsFiles } from './tls-files.ts';

/** Where Redis is and how its queues are spread: one group of settings, which every service has. */
export const redisSettings = {
  REDIS_URL: z
    .string()
    .superRefine((url, context) => {
      try {
        parseRedisUrl(url);
      } catch (error) {
        if (!(error instanceof RedisAddressError)) throw error;
        context.addIssue(error.message);
      }
    })
    .default('redis://127.0.0.1:6379')
    .describe(
      'Redis, the transport between the services: redis://, redis+sentinel:// or redis+cluster://; ' +
        'with TLS rediss in place of redis',
    ),
  REDIS_SENTINEL_USERNAME: optionalText('The user that the Sentinels know us by, if they have users'),
  REDIS_SENTINEL_PASSWORD: optionalText(
    'The password of the Sentinels, if they have one; REDIS_URL has that of Redis',
  ),
  REDIS_TLS_CA: optionalText(
    'A file (PEM) with the certificates to trust, in place of those that Node.js trusts',
  ),
  REDIS_TLS_CERT: optionalText('A file (PEM) with our certificate, if Redis demands one'),
  REDIS_TLS_KEY: optionalText('A file (PEM) with the key of REDIS_TLS_CERT'),
  REDIS_TLS_SERVERNAME: optionalText(
    'The name that the certificate must have, if it is not the host of REDIS_URL',
  ),
  REDIS_SHARDS: wholeNumber(1, 1024)
    .default(1)
    .describe(
      'Groups of queues that the collections are spread over in a cluster; the same for all services',
    ),
};

/** What these settings come to. */
export type RedisConfiguration = z.output<z.ZodObject<typeof redisSettings>>;

/**
 * Where Redis is, and over how many shards its queues are spread, as `#queue` takes it; the files of TLS are
 * read. Throws `ConfigurationError` if one can't be, or if the settings contradict each other.
 */
export function redisLocation(
  configuration: RedisConfiguration,
): RedisLocation & { readonly shards: number } {
  const { REDIS_URL, REDIS_SENTINEL_USERNAME, REDIS_SENTINEL_PASSWORD, REDIS_SHARDS } = configuration;
  const { tls } = parseRedisUrl(REDIS_URL);
  const redisTls = readTls(configuration, tls);
  return {
    redisUrl: REDIS_URL,
    ...(tls && { redisTls }),
    redisSentinel: {
      ...(REDIS_SENTINEL_USERNAME !== undefined && { username: REDIS_SENTINEL_USERNAME }),
      ...(REDIS_SENTINEL_PASSWORD !== undefined && { password: REDIS_SENTINEL_PASSWORD }),
    },
    shards: REDIS_SHARDS,
  };
}

function readTls(
  configuration: RedisConfiguration,
  isRequested: boolean,
): NonNullable<RedisLocation['redisTls']> {
  const { REDIS_TLS_SERVERNAME } = configuration;
  const how = 'REDIS_URL requests with rediss in place of redis';
  return {
    ...readTlsFiles('REDIS', configuration, { isRequested, how }),
    ...(REDIS_TLS_SERVERNAME !== undefined && { servername: REDIS_TLS_SERVERNAME }),
  };
}
