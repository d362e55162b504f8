import { RedisScript } from '../redis-script.ts';
import type { RedisClient } from '../redis.ts';
import type { GroupKeys } from './group-keys.ts';

/** An event whose handlers have failed for good, as Redis stores it. */
export interface DeadLetter {
  /** The event as JSON. */
  readonly event: string;
  readonly error: string;
  readonly attempts: number;
  /** When it was given up (RFC 3339). */
  readonly at: string;
}

/** Names in the hash of places that are not collections. */
const holderField = ':holder';
export const begunField = ':begun';

/** How many dead events a group keeps in one partition; an event beyond them stays with its handlers. */
const mostDead = 1_000;

/**
 * Creates the group if it is missing and makes the caller the holder. Returns the former holder, 1 if the group is
 * new, and all places; nil if the lock is another consumer's. KEYS: stream, lock, places. ARGV: consumer, holder,
 * group, where a new group begins.
 */
const beginScript = new RedisScript(`
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return nil end
local former = redis.call('HGET', KEYS[3], '${holderField}') or ''
local reply = redis.pcall('XGROUP', 'CREATE', KEYS[1], ARGV[3], ARGV[4], 'MKSTREAM')
if reply.err and not string.find(reply.err, 'BUSYGROUP', 1, true) then return reply end
redis.call('HSET', KEYS[3], '${holderField}', ARGV[2])
return {former, reply.err and 0 or 1, redis.call('HGETALL', KEYS[3])}
`);

/**
 * Records what was handled, unless another consumer has taken over. Returns "lost" then, "full" if there is no
 * room for a dead event, its id if there is one, or "done". KEYS: stream, lock, places, dead, retry. ARGV: consumer,
 * holder, group, most dead events, the id of the dead event that was handled again, the number of places, the
 * places (name and value), the number of values of a dead event (0 or 8), these, and entries to acknowledge.
 */
const recordScript = new RedisScript(`
if redis.call('GET', KEYS[2]) ~= ARGV[1] or redis.call('HGET', KEYS[3], '${holderField}') ~= ARGV[2] then
  return 'lost'
end
local letter = 7 + 2 * ARGV[6]
local id = 'done'
if ARGV[letter] ~= '0' then
  if ARGV[5] == '' and redis.call('XLEN', KEYS[4]) >= tonumber(ARGV[4]) then return 'full' end
  id = redis.call('XADD', KEYS[4], '*', unpack(ARGV, letter + 1, letter + ARGV[letter]))
end
if ARGV[5] ~= '' then
  redis.call('XDEL', KEYS[4], ARGV[5])
  redis.call('SREM', KEYS[5], ARGV[5])
end
for i = 7, letter - 1, 2 do redis.call('HSET', KEYS[3], ARGV[i], ARGV[i + 1]) end
for i = letter + ARGV[letter] + 1, #ARGV do redis.call('XACK', KEYS[1], ARGV[3], ARGV[i]) end
return id
`);

/** What is recorded at once; every part may be absent. */
export interface GroupRecord {
  /** Names of collections and how far they are handled. */
  readonly places?: readonly (readonly [name: string, value: string])[];
  /** Entries of the stream to acknowledge. */
  readonly entries?: Iterable<string>;
  readonly letter?: DeadLetter;
  /** The id of a dead event that ends to be one, or is replaced by `letter`. */
  readonly revived?: string | undefined;
}

/** A group as it was when a consumer began to read for it. */
interface BegunGroup {
  /** Who recorded before; empty if Redis knew nobody. */
  readonly former: string;
  readonly isNew: boolean;
  readonly places: ReadonlyMap<string, string>;
}

/** What Redis has of a group, for one of its consumers. */
export class GroupStore {
  readonly keys: GroupKeys;
  readonly #redis: RedisClient;
  readonly #group: string;
  readonly #consumer: string;
  readonly #holder: string;

  /** @param holder identifies this consumer among all that ever had its name */
  constructor(redis: RedisClient, keys: GroupKeys, group: string, consumer: string, holder: string) {
    this.#redis = redis;
    this.keys = keys;
    this.#group = group;
    this.#consumer = consumer;
    this.#holder = holder;
  }

  /** Whether the places of all collections that there were at its beginning are recorded. */
  async hasBegun(): Promise<boolean> {
    return (await this.#redis.hexists(this.keys.places, begunField)) === 1;
  }

  /**
   * Makes this consumer the one that records. Returns undefined if it does not have the lock.
   * @param from where the group begins if there is none: `0` or `$`
   */
  async begin(from: string): Promise<BegunGroup | undefined> {
    const { stream, lock, places } = this.keys;
    const args = [this.#consumer, this.#holder, this.#group, from];
    const reply = (await beginScript.run(this.#redis, [stream, lock, places], args)) as
      | [former: string, isNew: number, fields: string[]]
      | null;
    if (reply === null) return undefined;
    const [former, isNew, fields] = reply;
    const found = new Map<string, string>();
    for (let at = 0; at < fields.length; at += 2) {
      const name = fields[at] ?? '';
      if (!name.startsWith(':')) found.set(name, fields[at + 1] ?? '');
    }
    return { former, isNew: isNew === 1, places: found };
  }

  /** Returns the id of the dead event that was added, or how it went. */
  async record({ places = [], entries = [], letter, revived = '' }: GroupRecord): Promise<string> {
    const { stream, lock, places: hash, dead, retry } = this.keys;
    const values = letter === undefined ? [] : Object.entries(letter).flat();
    const keys = [stream, lock, hash, dead, retry];
    const caller = [this.#consumer, this.#holder, this.#group, mostDead, revived];
    const recorded = [places.length, ...places.flat(), values.length, ...values, ...entries];
    return String(await recordScript.run(this.#redis, keys, [...caller, ...recorded]));
  }

  /** Reads the dead events, oldest first, from an id on. */
  async dead(from = '-', to = '+'): Promise<[id: string, letter: DeadLetter][]> {
    const entries = await this.#redis.xrange(this.keys.dead, from, to);
    return entries.map(([id, fields]) => [id, readDeadLetter(fields)]);
  }

  /** The ids of dead events that are to be handled again. */
  async toRetry(): Promise<string[]> {
    return this.#redis.smembers(this.keys.retry);
  }

  /** The id of the last entry that the stream has ever had. */
  async lastEntry(): Promise<string> {
    const fields: unknown = await this.#redis.xinfo('STREAM', this.keys.stream);
    const pairs = Array.isArray(fields) ? fields : Object.entries(fields as object).flat();
    return String(pairs[pairs.indexOf('last-generated-id') + 1]);
  }
}

/** Reads the fields of an entry of dead events. */
export function readDeadLetter(fields: readonly string[]): DeadLetter {
  const value = (name: string): string => fields[fields.indexOf(name) + 1] ?? '';
  return {
    event: value('event'),
    error: value('error'),
    attempts: Number(value('attempts')),
    at: value('at'),
  };
}
