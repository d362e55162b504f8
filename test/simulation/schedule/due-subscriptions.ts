import { dueWindow, shareOut } from '#core';
import type { CollectionKey } from '#core';
import { Heap } from './heap.ts';

/** What the schedule knows of a subscription. */
export interface Scheduled {
  readonly number: number;
  readonly collection: CollectionKey;
  readonly host: string;
  readonly hostNumber: number;
  nextFetchAt: number;
}

/** The subscriptions that are not leased, by host and by time: what the index of the store is. */
export class DueSubscriptions {
  readonly #hosts: Heap[];
  readonly #heads: Float64Array;
  readonly #all: readonly Scheduled[];

  constructor(hosts: number, all: readonly Scheduled[]) {
    this.#hosts = Array.from({ length: hosts }, () => new Heap());
    this.#heads = new Float64Array(hosts).fill(Infinity);
    this.#all = all;
  }

  put(one: Scheduled): void {
    this.#heap(one.hostNumber).push(one.nextFetchAt, one.number);
    this.#note(one.hostNumber);
  }

  /** Leases as `takeDue` of a fetcher does: from the longest overdue, by `shareOut`. */
  lease(
    now: number,
    limit: number,
    isOccupied: (host: number) => boolean,
    freeAt: (host: string) => number,
  ): { readonly leased: readonly Scheduled[]; readonly isMore: boolean } {
    const byHead = new Heap();
    for (let host = 0; host < this.#heads.length; host += 1)
      if ((this.#heads[host] ?? Infinity) <= now && !isOccupied(host))
        byHead.push(this.#heads[host] ?? 0, host);
    const window: Scheduled[] = [];
    while (byHead.size > 0 && window.length < dueWindow(limit)) {
      const host = byHead.pop();
      const one = this.#all[this.#heap(host).pop()];
      if (one !== undefined) window.push(one);
      if (this.#heap(host).first <= now) byHead.push(this.#heap(host).first, host);
    }
    const leased = shareOut(window, { limit, freeAt });
    const taken = new Set(leased);
    for (const one of window) {
      if (!taken.has(one)) this.#heap(one.hostNumber).push(one.nextFetchAt, one.number);
      this.#note(one.hostNumber);
    }
    return { leased, isMore: leased.length < window.length || window.length === dueWindow(limit) };
  }

  /** Moves what is due at a host before a time to a random time within `spread` after it. */
  postpone(host: number, until: number, spread: number, fraction: () => number): void {
    for (const number of this.#heap(host).popBefore(until)) {
      const one = this.#all[number];
      if (one === undefined) continue;
      one.nextFetchAt = until + Math.round(fraction() * spread);
      this.#heap(host).push(one.nextFetchAt, number);
    }
    this.#note(host);
  }

  /** Whether anything at a host is due. */
  isDue(host: number, now: number): boolean {
    return (this.#heads[host] ?? Infinity) <= now;
  }

  #heap(host: number): Heap {
    const heap = this.#hosts[host];
    if (heap === undefined) throw new RangeError(`there is no host ${host}`);
    return heap;
  }

  #note(host: number): void {
    this.#heads[host] = this.#heap(host).first;
  }
}
