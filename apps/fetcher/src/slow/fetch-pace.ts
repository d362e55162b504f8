import { performance } from 'node:perf_hooks';
import { FetchError } from '#core';
import type { ServerWaits } from '#core';
import type { SlowPlaces } from './slow-places.ts';

/** After how many milliseconds of waiting for servers a fetch moves to a place among the slow ones. */
const patience = 1000;

/** After how many it is slow: its subscription is remembered as such, and it ends if it has no such place. */
const slowness = 3000;

/** What a fetch holds that is short, such as a place to read in. */
export interface SlowShare {
  /** Counts the holder among the slow ones; returns false if those are too many. */
  slowDown(): boolean;
}

/**
 * How long one fetch has waited for its servers. One that waits longer than a moment moves to a place among
 * the slow ones, so that it keeps no other from being fetched. If there is none, it stays where it is for
 * another moment, and ends (`FetchError` `slow-places`): many servers may be a little slow at the same time.
 */
export class FetchPace implements ServerWaits {
  readonly #places: SlowPlaces;
  readonly #shares = new Set<SlowShare>();
  #waited = 0;
  #leave: (() => void) | undefined;
  #tellDetached = (): void => {};
  #tellSlow = (): void => {};
  /** Resolves once it has a place among the slow ones, and so holds no other place. */
  readonly detached = new Promise<void>((resolve) => (this.#tellDetached = resolve));
  /** Resolves once its subscription is to be remembered as slow. */
  readonly slow = new Promise<void>((resolve) => (this.#tellSlow = resolve));

  constructor(places: SlowPlaces) {
    this.#places = places;
  }

  /** Takes a place among the slow ones for a fetch that was slow before; undefined if there is none. */
  static ofSlow(places: SlowPlaces): FetchPace | undefined {
    const pace = new FetchPace(places);
    return pace.#detach() ? pace : undefined;
  }

  /** Whether it has a place among the slow ones. */
  get isDetached(): boolean {
    return this.#leave !== undefined;
  }

  /** Whether a server was requested at all. */
  get hasWaited(): boolean {
    return this.#waited > 0;
  }

  /** Whether its subscription is slow, by this fetch. */
  get isSlow(): boolean {
    return this.#waited >= slowness;
  }

  begin(end: (reason: FetchError) => void): () => void {
    const began = performance.now();
    const timers = [
      this.#after(patience, () => this.#slowDown(end, false)),
      this.#after(slowness, () => this.#slowDown(end, true)),
    ];
    return () => {
      for (const timer of timers) clearTimeout(timer);
      this.#waited += performance.now() - began;
    };
  }

  /** Takes what it holds from now on; returns what to call when it does not any more. */
  hold(share: SlowShare): () => void {
    this.#shares.add(share);
    return () => void this.#shares.delete(share);
  }

  /** Gives its place back. */
  end(): void {
    this.#leave?.();
    this.#leave = undefined;
  }

  #after(milliseconds: number, act: () => void): NodeJS.Timeout | undefined {
    return this.#waited >= milliseconds ? undefined : setTimeout(act, milliseconds - this.#waited);
  }

  /** @param isLast whether it ends without a place */
  #slowDown(end: (reason: FetchError) => void, isLast: boolean): void {
    const hasPlace =
      [...this.#shares].every((share) => share.slowDown()) && (this.isDetached || this.#detach());
    if (!isLast) return;
    this.#tellSlow();
    if (hasPlace) return;
    const { size } = this.#places;
    end(
      new FetchError(
        'slow-places',
        `the server took more than ${slowness / 1000} s, and there was no place for another slow fetch ` +
          `beside ${size} (FETCH_POLLS, FETCH_CONCURRENCY)`,
      ),
    );
  }

  #detach(): boolean {
    this.#leave = this.#places.take();
    if (this.isDetached) this.#tellDetached();
    return this.isDetached;
  }
}
