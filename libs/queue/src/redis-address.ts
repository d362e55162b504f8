/** A host and a port of Redis, or of a Sentinel. */
interface RedisHost {
  readonly host: string;
  readonly port: number;
}

/** What the URL of Redis says. */
export interface RedisAddress {
  /** One server, the master that Sentinels name, or a cluster. */
  readonly topology: 'node' | 'sentinel' | 'cluster';
  readonly tls: boolean;
  /** The server; the Sentinels; some nodes of the cluster. At least one. */
  readonly hosts: readonly RedisHost[];
  /** By which the Sentinels know the master; empty in the other topologies. */
  readonly masterName: string;
  readonly username?: string;
  readonly password?: string;
  readonly database: number;
}

/** A URL that leads to no Redis; the message goes on after the name of the setting. */
export class RedisAddressError extends Error {
  override readonly name = 'RedisAddressError';
}

const scheme = String.raw`(?:redis|valkey)(?<secure>s?)(?:[+-](?<kind>sentinel|cluster))?:\/\/`;
const rest = String.raw`(?:(?<credentials>[^@/]*)@)?(?<hosts>[^@/?#]+)(?<path>\/[^?#]*)?`;
const form = new RegExp(`^${scheme}${rest}$`);

const example =
  'must be a URL such as redis://host:6379, redis+sentinel://host:26379,host:26379/mymaster ' +
  'or redis+cluster://host:6379,host:6379';

/**
 * Reads the URL of Redis: `redis://[user:password@]host[:port][/database]` for one server,
 * `redis+sentinel://…@host[:port],…/master[/database]` for the master that Sentinels name, and
 * `redis+cluster://…@host[:port],…` for a cluster; `rediss` in place of `redis` for TLS. Special characters
 * of user and password are percent-encoded. Throws `RedisAddressError`, which repeats nothing of the URL.
 */
export function parseRedisUrl(url: string): RedisAddress {
  const parts = form.exec(url)?.groups;
  if (parts === undefined) throw new RedisAddressError(example);
  const topology = (parts['kind'] ?? 'node') as RedisAddress['topology'];
  const hosts = (parts['hosts'] ?? '')
    .split(',')
    .map((text) => parseHost(text, topology === 'sentinel' ? 26_379 : 6379));
  if (topology === 'node' && hosts.length > 1)
    throw new RedisAddressError('must name one host; several are for redis+sentinel:// and redis+cluster://');
  return {
    topology,
    tls: parts['secure'] === 's',
    hosts,
    ...parseCredentials(parts['credentials']),
    ...parsePath(topology, parts['path'] ?? ''),
  };
}

function parseHost(text: string, standardPort: number): RedisHost {
  const [, host, port] = /^(\[[0-9a-f:.]+\]|[^[\]:\s]+)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  if (host === undefined || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535)
    throw new RedisAddressError(example);
  return { host: host.replace(/^\[|\]$/g, ''), port: port === undefined ? standardPort : Number(port) };
}

function parseCredentials(text: string | undefined): Pick<RedisAddress, 'username' | 'password'> {
  if (text === undefined) return {};
  const separator = text.indexOf(':');
  const username = decode(separator < 0 ? text : text.slice(0, separator));
  const password = separator < 0 ? '' : decode(text.slice(separator + 1));
  return { ...(username !== '' && { username }), ...(password !== '' && { password }) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RedisAddressError('must have user and password percent-encoded; % itself is %25');
  }
}

function parsePath(
  topology: RedisAddress['topology'],
  path: string,
): Pick<RedisAddress, 'masterName' | 'database'> {
  const segments = path.split('/').filter((segment) => segment !== '');
  const masterName = topology === 'sentinel' ? decode(segments.shift() ?? '') : '';
  if (topology === 'sentinel' && masterName === '')
    throw new RedisAddressError(
      'must name the master that the Sentinels watch, as in redis+sentinel://host:26379/mymaster',
    );
  const [database = '0', ...more] = segments;
  if (more.length > 0 || !/^\d{1,5}$/.test(database))
    throw new RedisAddressError('must end with the number of a database, as in redis://host:6379/0');
  if (topology === 'cluster' && database !== '0')
    throw new RedisAddressError('must name no database: a cluster only has database 0');
  return { masterName, database: Number(database) };
}
