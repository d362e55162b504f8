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
 * Makes the caller the holder. Returns the former one and all places; nil if the lock is another consumer's.
 * KEYS: lock, places. ARGV: consumer, holder.
 */
const beginScript = new RedisScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return nil end
local former = redis.call('HGET', KEYS[2], '${holderField}') or ''
redis.call('HSET', KEYS[2], '${holderField}', ARGV[2])
return {former, redis.call('HGETALL', KEYS[2])}
`);

/**
 * Records what was handled, unless another consumer has taken over. Returns "lost" then, "full" if there is
 * no room for a dead event, its id if there is one, or "done". KEYS: lock, places, dead, retry. ARGV:
 * consumer, holder, most dead events, the id of the dead event that was handled again, the number of values
 * of a dead event (0 or 8), these, and the places: name and value by turns.
 */
const recordScript = new RedisScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] or redis.call('HGET', KEYS[2], '${holderField}') ~= ARGV[2] then
  return 'lost'
end
local id = 'done'
local values = tonumber(ARGV[5])
if values > 0 then
  if ARGV[4] == '' and redis.call('XLEN', KEYS[3]) >= tonumber(ARGV[3]) then return 'full' end
  id = redis.call('XADD', KEYS[3], '*', unpack(ARGV, 6, 5 + values))
end
if ARGV[4] ~= '' then
  redis.call('XDEL', KEYS[3], ARGV[4])
  redis.call('SREM', KEYS[4], ARGV[4])
end
for i = 6 + values, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) end
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
   * Creates the group if it is missing, and makes this consumer the one that records. Returns undefined if it
   * does not have the lock.
   * @param from where the group begins if there is none: `0` or `$`
   */
  async begin(from: string): Promise<BegunGroup | undefined> {
    const { lock, places } = this.keys;
    const isNew = await this.#create(from);
    const args = [this.#consumer, this.#holder];
    const reply = (await beginScript.run(this.#redis, [lock, places], args)) as
      | [former: string, fields: string[]]
      | null;
    if (reply === null) return undefined;
    const [former, fields] = reply;
    const found = new Map<string, string>();
    for (let at = 0; at < fields.length; at += 2) {
      const name = fields[at] ?? '';
      if (!name.startsWith(':')) found.set(name, fields[at + 1] ?? '');
    }
    return { former, isNew, places: found };
  }

  /**
   * Records what was handled, and then acknowledges entries. Returns the id of the dead event that was added,
   * `done`, `full` or `lost`.
   */
  async record({ places = [], entries = [], letter, revived = '' }: GroupRecord): Promise<string> {
    const { lock, places: hash, dead, retry } = this.keys;
    const values = letter === undefined ? [] : Object.entries(letter).flat();
    const caller = [this.#consumer, this.#holder, mostDead, revived];
    const recorded = [values.length, ...values, ...places.flat()];
    const keys = [lock, hash, dead, retry];
    const outcome = String(await recordScript.run(this.#redis, keys, [...caller, ...recorded]));
    const ids = outcome === 'lost' || outcome === 'full' ? [] : [...entries];
    // An entry that stays unacknowledged is a repeated one from now on.
    if (ids.length > 0) await this.#redis.xack(this.keys.stream, this.#group, ...ids).catch(() => {});
    return outcome;
  }

  /** Creates the group, and the stream; returns false if it is there. */
  async #create(from: string): Promise<boolean> {
    try {
      await this.#redis.xgroup('CREATE', this.keys.stream, this.#group, from, 'MKSTREAM');
      return true;
    } catch (error) {
      if (!String(error).includes('BUSYGROUP')) throw error;
      return false;
    }
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
