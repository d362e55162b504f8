import type { EventEmitter } from 'node:events';
import type { mongo } from 'mongoose';

/** Milliseconds between two looks. */
const pause = 500;

/** Milliseconds between two looks of the driver for connections that it can't use any more. */
const driverPause = 10_000;

/** What the driver knows of its connections, and keeps to itself: another version may have none of it. */
interface Connection {
  readonly closed?: boolean;
  readonly socket?: EventEmitter;
}

interface Server {
  readonly pool?: Pool;
  readonly monitor?: { readonly connection?: Connection | null } | null;
}

interface Pool {
  options?: { readonly minPoolSize?: number; readonly minPoolSizeCheckFrequencyMS?: number };
  /** Those that an operation uses. */
  readonly checkedOut?: ReadonlySet<Connection>;
}

interface Topology {
  readonly s?: { readonly servers?: ReadonlyMap<string, Server> };
}

/**
 * Lets operations of a client go on that wait for a socket which is closed. If one is closed in the moment
 * before the driver (mongodb 7.8) writes to it, the driver waits for `drain`, which never comes, and no time
 * limit holds there. When it goes on, it finds the connection closed, and deals with that as with any other.
 *
 * Also has the driver look at its idle connections every ten seconds: it wakes up ten times a second
 * otherwise, and looks at a connection anyway before it uses it.
 * @returns what ends it
 */
export function releaseClosedSockets(client: () => mongo.MongoClient | undefined): () => void {
  /** Also of servers that are no longer in the set. */
  const pools = new Set<Pool>();
  const timer = setInterval(() => {
    for (const { pool, monitor } of serversOf(client())) {
      if (pool) pools.add(lookRarely(pool));
      if (monitor?.connection) release(monitor.connection);
    }
    for (const pool of pools) {
      const { checkedOut = new Set() } = pool;
      for (const connection of checkedOut) release(connection);
      if (checkedOut.size === 0) pools.delete(pool);
    }
  }, pause);
  timer.unref();
  return () => clearInterval(timer);
}

function serversOf(client: mongo.MongoClient | undefined): Iterable<Server> {
  const { topology } = (client ?? {}) as { readonly topology?: Topology };
  return topology?.s?.servers?.values() ?? [];
}

function lookRarely(pool: Pool): Pool {
  const { options } = pool;
  if (options?.minPoolSize === 0 && options.minPoolSizeCheckFrequencyMS !== driverPause)
    pool.options = { ...options, minPoolSizeCheckFrequencyMS: driverPause };
  return pool;
}

function release({ closed, socket }: Connection): void {
  if (closed === true && socket !== undefined && socket.listenerCount('drain') > 0) socket.emit('drain');
}
