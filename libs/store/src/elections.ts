import { EventEmitter, once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { outageReason } from './outage-reason.ts';

/** What the driver says of the servers whenever that changes. */
interface Topology {
  readonly newDescription: { readonly servers: ReadonlyMap<string, Server> };
}

interface Server {
  readonly address: string;
  readonly type: string;
  readonly electionId?: { toHexString(): string } | null;
}

/** Milliseconds between two attempts to have a primary confirmed. */
const attemptPause = 100;

/**
 * The primaries that a client has met, one after the other. A new one takes part in everything that a
 * majority has stored, but until a majority has stored something of its own, it reads as committed what was
 * so some time before it was elected: what was acknowledged since is missing. A write with `w: majority`
 * ends that. Behind a router no election is seen.
 */
export class Elections {
  /** The number of the primary that there is, or was last. */
  primary = 0;
  readonly #timeout: number;
  readonly #events = new EventEmitter().setMaxListeners(0);
  #key: string | undefined;
  #confirmed: number | undefined;
  #reason = 'there was none yet';
  #write: (() => Promise<void>) | undefined;

  /** @param timeout milliseconds to wait until a majority has confirmed a primary */
  constructor(timeout: number) {
    this.#timeout = timeout;
  }

  /** Watches the servers of a client that has not connected yet. */
  watch(client: mongo.MongoClient): void {
    client.on('topologyDescriptionChanged', ({ newDescription }: Topology) => {
      for (const server of newDescription.servers.values())
        if (server.type === 'RSPrimary') this.#meet(server);
    });
  }

  /**
   * Begins to have each primary confirmed, the one that there is first.
   * @param write stores something at a majority
   */
  begin(write: () => Promise<void>): void {
    this.#write = write;
    void this.#confirm();
  }

  /** Confirms none any more. */
  end(): void {
    this.#write = undefined;
  }

  /** Whether the primary that there is, or was last, was confirmed. */
  get isConfirmed(): boolean {
    return this.#confirmed === this.primary;
  }

  /** Waits until the primary that there is was confirmed. Throws why it was not in time. */
  async confirmed(): Promise<void> {
    const signal = AbortSignal.timeout(this.#timeout);
    try {
      while (!this.isConfirmed) await once(this.#events, 'confirmed', { signal });
    } catch {
      throw new Error(`no majority of the replica set has confirmed its primary: ${this.#reason}`);
    }
  }

  #meet({ address, electionId }: Server): void {
    const key = `${address} ${electionId?.toHexString() ?? ''}`;
    if (key === this.#key) return;
    this.#key = key;
    this.primary += 1;
    void this.#confirm();
  }

  async #confirm(): Promise<void> {
    const { primary } = this;
    while (this.#write !== undefined && primary === this.primary) {
      try {
        await this.#write();
        // What was written to another one than was meant says nothing of this one.
        if (primary === this.primary) this.#confirmed = primary;
        this.#events.emit('confirmed');
        return;
      } catch (error) {
        this.#reason = outageReason(error);
        await wait(attemptPause);
      }
    }
  }
}
