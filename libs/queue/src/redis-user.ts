/** What a Redis user is for. */
export type RedisRole = 'services' | 'producer' | 'consumer';

export interface RedisUser {
  readonly name: string;
  /** SHA-256 of the password, 64 hexadecimal digits. */
  readonly passwordDigest: string;
  readonly role: RedisRole;
  /** The only group whose keys a consumer may use; any group by default. */
  readonly group?: string;
}

/** What any client needs to connect, also to a cluster. Redis 7.0 refuses names that it does not know. */
const connecting = [
  '+ping +select +info +command +client|setname +multi +exec +discard',
  '+cluster|slots +cluster|shards +cluster|nodes +cluster|info +asking',
];

/** What every script of BullMQ that adds a job declares: Redis demands reading and writing for all of it. */
const declaredKeys = [
  'wait',
  'paused',
  'active',
  'delayed',
  'prioritized',
  'completed',
  'meta',
  'id',
  'pc',
  'events',
  'marker',
];

/** The commands for these keys, alone or in scripts. */
const groupCommands =
  '+get +set +del +hget +hset +hexists +hgetall +xadd +xdel +xlen +xrange +sadd +srem +smembers';

/** The keys of a group beside the stream: its lock, its places, and its dead events. */
function groupKeys(group: string): string {
  return ['reader', 'places', 'dead', 'retry']
    .map((what) => `~{feedmesh:changes:*}:${what}:${group}`)
    .join(' ');
}

/**
 * The rules of Redis for each role. Those in parentheses hold by themselves: their commands are permitted on
 * their keys alone. The commands that a script runs are held against them too.
 */
const rules: Readonly<Record<RedisRole, (group: string) => string[]>> = {
  services: () => ['~{feedmesh}:* ~{feedmesh:*}:* ~feedmesh:changes:*', '+@all -@dangerous +info'],
  producer: () => [
    ...declaredKeys.map((key) => `~{feedmesh}:commands:${key}`),
    ...connecting,
    '+eval +evalsha +script|load +script|exists',
    '+hset +hget +hmget +incr +lpush +rpush +llen +zadd +zrange +zrevrangebyscore +xadd',
    // The job itself is written only: it may have credentials, or the key of another team.
    '(%W~{feedmesh}:commands:* +hmset +exists)',
    '(~{feedmesh}:commands:de:* ~{feedmesh}:commands:dn:* +get +set +del +pttl)',
  ],
  consumer: (group) => [
    '~feedmesh:changes:*',
    ...connecting,
    '+xread +xreadgroup +xack +xautoclaim +xgroup|create',
    '+xrange +xlen +xpending +xinfo|stream +xinfo|groups',
    // Not on the stream, which they would replace or delete.
    `(${groupKeys(group)} +eval +evalsha ${groupCommands})`,
  ],
};

/** Writes a user as a line of an ACL file of Redis 7.0 or later, without a line feed. */
export function aclFileLine(user: RedisUser): string {
  return `user ${user.name} ${definition(user)}`;
}

/** Writes a user as a command that creates it, or replaces all it was permitted and its passwords. */
export function aclCommand(user: RedisUser): string {
  return `ACL SETUSER ${user.name} reset ${definition(user)}`;
}

function definition({ passwordDigest, role, group = '*' }: RedisUser): string {
  return ['on', `#${passwordDigest}`, 'resetkeys resetchannels -@all', ...rules[role](group)].join(' ');
}
