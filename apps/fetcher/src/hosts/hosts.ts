import type { RequestSlots } from '#http-fetch';
import type { Job } from '#contracts';
import { FetchError } from '#core';
import type { Random, Clock } from '#core';
import { accessTo, afterFailure, requestedPause, afterSuccess, freeSlots, idleHost } from './host-state.ts';
import type { HostAccess, HostLimits, HostState } from './host-state.ts';

/**
 * How many jobs wait for one host at most; those beyond it are dropped, and sent again by whoever wants them.
 */
const waitingLimit = 1000;

/** After so many pauses in a row a host is taken for one that is down. */
const pausesOfDownHost = 3;

/** A pause of a host, and why. */
export interface HostPause {
  readonly until: Date;
  readonly reason: string;
}

/** A host as `/health/hosts` shows it. */
export interface HostReport {
  readonly host: string;
  readonly inFlight: number;
  /** Jobs that wait for a free slot. */
  readonly waiting: number;
  /** In a row. */
  readonly failures: number;
  readonly pausedUntil?: Date;
  /** Why the last request failed. */
  readonly reason?: string;
}

interface HostsPorts {
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Pick<Random, 'fraction'>;
  /** Puts jobs back into their queues once their host has free slots. */
  readonly send: (jobs: readonly Job[]) => void;
  /** Called when a pause begins. */
  readonly paused: (host: string, pause: HostPause) => void;
}

interface HostRecord {
  state: HostState;
  /** By key, in the order of arrival. */
  readonly waiting: Map<string, Job>;
  /** When anything last changed, in milliseconds since 1970. */
  changedAt: number;
  /** Until when it takes no requests since all fetchers together send enough of them. */
  closedUntil: number;
}

/**
 * The hosts that this process sends requests to: how many are in flight, which jobs wait for a free slot
 * without holding a worker, and which hosts are paused since they keep failing. Everything here may be lost:
 * what waits is still due in the store, or is sent again.
 */
export class Hosts implements RequestSlots {
  readonly #limits: HostLimits;
  readonly #ports: HostsPorts;
  readonly #hosts = new Map<string, HostRecord>();

  constructor(limits: HostLimits, ports: HostsPorts) {
    this.#limits = limits;
    this.#ports = ports;
  }

  access(host: string): HostAccess {
    const access = accessTo(this.#stateOf(host), this.#now, this.#limits);
    return access === 'open' && this.#isClosed(host) ? 'busy' : access;
  }

  /** Whether a host has been paused again and again, so that waiting for it is in vain. */
  isDown(host: string): boolean {
    return this.#stateOf(host).pauses > pausesOfDownHost;
  }

  /** The pause that a host is in; undefined without one. */
  pauseOf(host: string): HostPause | undefined {
    const { pausedUntil, failures, reason, isRequested } = this.#stateOf(host);
    if (this.#now >= pausedUntil) return undefined;
    if (isRequested) return { until: new Date(pausedUntil), reason: `${host}: ${reason}` };
    return { until: new Date(pausedUntil), reason: `${host} failed ${failures} times in a row (${reason})` };
  }

  /**
   * Takes a slot for one request; returns how to give it back, which may be called more than once.
   * @throws FetchError `host-busy` or `host-paused` if there is none
   */
  take(host: string): () => void {
    const access = this.access(host);
    if (access === 'busy') {
      throw new FetchError('host-busy', `${host}: no connection is free (FETCH_CONNECTIONS_PER_HOST)`, {
        host,
      });
    }
    const pause = access === 'paused' ? this.pauseOf(host) : undefined;
    if (pause !== undefined) {
      throw new FetchError(
        'host-paused',
        `${pause.reason}; it is asked again at ${pause.until.toISOString()}`,
        { host },
      );
    }
    this.#change(host, ({ inFlight, ...state }) => ({ ...state, inFlight: inFlight + 1 }));
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#change(host, ({ inFlight, ...state }) => ({ ...state, inFlight: inFlight - 1 }));
      this.resume(host);
    };
  }

  /** Keeps a job until its host has a free slot. One that waits already is not kept twice. */
  wait(host: string, job: Job): void {
    const { waiting } = this.#recordOf(host);
    if (waiting.size < waitingLimit) waiting.set(keyOf(job), job);
    // The slot may have become free before the job was here.
    this.resume(host);
  }

  /** Puts as many waiting jobs of a host back into their queues as it has free slots. */
  resume(host: string): void {
    const record = this.#hosts.get(host);
    if (record === undefined) return;
    const jobs = [...record.waiting].slice(0, this.#freeSlots(host));
    for (const [key] of jobs) record.waiting.delete(key);
    if (jobs.length > 0) this.#ports.send(jobs.map(([, job]) => job));
    this.#forget(host, record);
  }

  /**
   * Does so for every host: called from time to time, since a pause ends by itself and a job may take no
   * slot.
   */
  resumeAll(): void {
    for (const host of this.#hosts.keys()) this.resume(host);
  }

  /** The hosts that subscriptions wait for: more of them would only wait too. */
  get crowded(): string[] {
    const isCrowded = ({ waiting }: HostRecord): boolean =>
      [...waiting.values()].some(({ queue }) => queue === 'fetch');
    return [...this.#hosts].flatMap(([host, record]) => (isCrowded(record) ? [host] : []));
  }

  /** The hosts of which nothing more may be leased: without a free slot, or with subscriptions that wait. */
  get occupied(): string[] {
    const isFull = (host: string): boolean => this.freeAt(host) === 0;
    return [...new Set([...this.crowded, ...[...this.#hosts.keys()].filter(isFull)])];
  }

  /**
   * How many subscriptions at a host may be leased. At one that is paused that is one, by which whatever has
   * become due there is postponed.
   */
  freeAt(host: string): number {
    if (this.access(host) === 'paused') return 1;
    return this.#freeSlots(host);
  }

  /** Takes no request to a host until a time: all fetchers together send it as many as they may. */
  closeUntil(host: string, until: Date): void {
    this.#recordOf(host).closedUntil = until.getTime();
  }

  succeeded(host: string): void {
    if (this.#hosts.has(host)) this.#change(host, afterSuccess);
    this.resume(host);
  }

  failed(host: string, reason: string): void {
    const moment = { now: this.#now, fraction: this.#ports.random.fraction() };
    this.#perhapsPause(host, (state) => afterFailure(state, reason, moment, this.#limits));
  }

  /** Pauses a host until a time that it requested itself. */
  pauseUntil(host: string, until: Date, reason: string): void {
    this.#perhapsPause(host, (state) => requestedPause(state, until.getTime(), reason));
  }

  /** Changes a host's state, and tells of the pause that this begins. */
  #perhapsPause(host: string, change: (state: HostState) => HostState): void {
    const wasPaused = this.access(host) === 'paused';
    this.#change(host, change);
    const pause = this.pauseOf(host);
    if (pause !== undefined && !wasPaused) this.#ports.paused(host, pause);
  }

  /** The hosts that something can be said of, by name. */
  list(): HostReport[] {
    const reports = [...this.#hosts].map(([host, { state, waiting }]): HostReport => ({
      host,
      inFlight: state.inFlight,
      waiting: waiting.size,
      failures: state.failures,
      ...(this.#now < state.pausedUntil && { pausedUntil: new Date(state.pausedUntil) }),
      ...(state.reason !== '' && { reason: state.reason }),
    }));
    return reports.toSorted((one, other) => (one.host < other.host ? -1 : 1));
  }

  get #now(): number {
    return this.#ports.clock.now().getTime();
  }

  #freeSlots(host: string): number {
    return this.#isClosed(host) ? 0 : freeSlots(this.#stateOf(host), this.#now, this.#limits);
  }

  #isClosed(host: string): boolean {
    return this.#now < (this.#hosts.get(host)?.closedUntil ?? 0);
  }

  #stateOf(host: string): HostState {
    return this.#hosts.get(host)?.state ?? idleHost;
  }

  #recordOf(host: string): HostRecord {
    const known = this.#hosts.get(host);
    if (known !== undefined) return known;
    const record = { state: idleHost, waiting: new Map<string, Job>(), changedAt: this.#now, closedUntil: 0 };
    this.#hosts.set(host, record);
    return record;
  }

  #change(host: string, change: (state: HostState) => HostState): void {
    const record = this.#recordOf(host);
    record.state = change(record.state);
    record.changedAt = this.#now;
  }

  /** Forgets a host of which nothing is known, or nothing new for longer than any pause. */
  #forget(host: string, { state, waiting, changedAt, closedUntil }: HostRecord): void {
    const isOld = this.#now - changedAt > 2 * this.#limits.longestPause;
    const isAtRest = state.failures === 0 && this.#now >= Math.max(state.pausedUntil, closedUntil);
    if (waiting.size === 0 && state.inFlight === 0 && (isAtRest || isOld)) this.#hosts.delete(host);
  }
}

/** The same for jobs of which one is enough. */
function keyOf({ queue, data, deduplicate }: Job): string {
  return deduplicate === undefined ? JSON.stringify([queue, data]) : `${queue} ${deduplicate}`;
}
