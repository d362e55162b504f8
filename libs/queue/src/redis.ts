import { Logger } from '@nestjs/common';
import { Cluster, Redis } from 'ioredis';
import type { RedisOptions } from 'ioredis';
import { LimitedLog } from './limited-log.ts';
import { parseRedisUrl } from './redis-address.ts';
import type { RedisAddress } from './redis-address.ts';

/** Where Redis is, and what a connection needs besides its address. */
export interface RedisLocation {
  /**
   * `redis://host:6379/0`, `redis+sentinel://host:26379,host:26379/mymaster` or
   * `redis+cluster://host:6379,host:6379`; `rediss…` for TLS. User and password are those of Redis.
   */
  readonly redisUrl: string;
  /** For TLS: certificates and key in PEM, and the name that the server's certificate must have. */
  readonly redisTls?: {
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
    readonly servername?: string;
  };
  /** Who we are to the Sentinels, if they ask for it. */
  readonly redisSentinel?: { readonly username?: string; readonly password?: string };
}

/** A connection to one server, or to all nodes of a cluster that it needs. */
export type RedisClient = Redis | Cluster;

/** How a connection deals with its commands. */
type CommandOptions = Pick<RedisOptions, 'maxRetriesPerRequest' | 'commandTimeout' | 'socketTimeout'>;

/**
 * After how many milliseconds without an answer a connection is given up: a server that hangs closes none,
 * and another one may have become the master. One whose commands block has its own.
 */
const socketTimeout = 6_000;

/** What a server answers that is no longer the master: its address may lead to the new one by now. */
const noMaster = /^(READONLY|UNBLOCKED force) /;

/** What ioredis says before it asks the Sentinels once more, also if all of them have answered. */
const nextRound = /^All sentinels are unreachable\. Retrying from scratch after \d+ms\.$/;

/** Whether an error of a BullMQ worker is one of its connection, which the log of ours tells of. */
export function isConnectionFault(error: Error): boolean {
  return (
    'syscall' in error ||
    'lastNodeError' in error ||
    /^(All sentinels are|Connection is closed|Socket timeout|Too many Cluster redirections)/.test(
      error.message,
    )
  );
}

/** What happens to a connection, for the log and for whoever asks later. */
export class ConnectionLog {
  readonly #log: LimitedLog;
  #fault: string | undefined;

  /** @param name stands in every line */
  constructor(name: string) {
    this.#log = new LimitedLog(new Logger(name));
  }

  /** Why there is no connection; undefined if there is one, or nothing has failed yet. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Follows a connection. */
  watch(client: RedisClient): void {
    const failed = (error: Error): void => {
      if (nextRound.test(error.message)) return;
      this.#fault = reasonOf(error);
      this.#log.warn('Redis', this.#fault);
    };
    client.on('error', failed);
    client.on('sentinelError', failed);
    client.on('node error', failed);
    client.on('ready', () => this.recovered());
  }

  /** Redis has answered: what was wrong is over. */
  recovered(): void {
    if (this.#fault !== undefined) this.#log.log('Redis', 'it is back');
    this.#fault = undefined;
  }
}

/**
 * A connection that comes back by itself for as long as it is not closed; the log follows it. Throws
 * `RedisAddressError` if the URL is wrong.
 */
export function openRedis(location: RedisLocation, options: CommandOptions, log: ConnectionLog): RedisClient {
  const address = parseRedisUrl(location.redisUrl);
  const client =
    address.topology === 'cluster'
      ? openCluster(address, location, options)
      : openServer(address, location, options);
  log.watch(client);
  return client;
}

function openServer(address: RedisAddress, location: RedisLocation, options: CommandOptions): Redis {
  return new Redis({
    ...(address.topology === 'sentinel' ? sentinelOptions(address, location) : address.hosts[0]),
    ...loginOptions(address, location),
    db: address.database,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 5), 1_000),
    reconnectOnError: ({ message }) => noMaster.test(message),
    socketTimeout,
    ...options,
  });
}

function sentinelOptions(
  { hosts, masterName }: RedisAddress,
  { redisSentinel = {} }: RedisLocation,
): RedisOptions {
  return {
    sentinels: [...hosts],
    name: masterName,
    ...(redisSentinel.username !== undefined && { sentinelUsername: redisSentinel.username }),
    ...(redisSentinel.password !== undefined && { sentinelPassword: redisSentinel.password }),
    sentinelRetryStrategy: (times) => Math.min(100 * times, 1_000),
  };
}

function openCluster(address: RedisAddress, location: RedisLocation, options: CommandOptions): Cluster {
  return new Cluster([...address.hosts], {
    // Names stay names, or the certificates of the nodes would not fit.
    dnsLookup: (name, found) => found(null, name),
    clusterRetryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 5), 1_000),
    slotsRefreshTimeout: 5_000,
    // A command waits for a failover (16 seconds), so that a job that has ended while there was none is not
    // done again, and holds up others, until its lock expires.
    retryDelayOnFailover: 250,
    retryDelayOnClusterDown: 250,
    maxRedirections: 64,
    redisOptions: { ...loginOptions(address, location), socketTimeout, ...options },
  });
}

function loginOptions(
  { username, password, tls, topology }: RedisAddress,
  { redisTls }: RedisLocation,
): RedisOptions {
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls && { tls: { ...redisTls } }),
    ...(tls && topology === 'sentinel' && { enableTLSForSentinelMode: true, sentinelTLS: { ...redisTls } }),
  };
}

/** The reason within what a cluster or a group of Sentinels fails with. */
function reasonOf(error: Error & { readonly lastNodeError?: Error | null }): string {
  return error.lastNodeError ? `${error.message} ${error.lastNodeError.message}` : error.message;
}
