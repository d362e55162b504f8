import { setTimeout as wait } from 'node:timers/promises';
import { formatCursor } from '#contracts';
import type { ItemEvent } from '#contracts';
import type { Dice } from '../simulation/dice.ts';
import { readSyncFeed } from '../support/sync-feed.ts';
import type { SyncFeed } from '../support/sync-feed.ts';
import { briefLife, isCut, responseOf } from './reader-life.ts';

/** What a reader has stored of a feed. */
interface StoredFeed {
  readonly until: number;
  /** The updates of the items in it. */
  readonly items: readonly (readonly [id: string, updates: number])[];
}

/** Reads the feeds of a collection by `since` and `until`, in lives that end at random. */
export class FeedReader {
  readonly faults: string[] = [];
  lives = 0;
  readonly #stored: StoredFeed[] = [];
  #updated = '';

  /** @param feeds the partial feed without its extension, at each gateway */
  constructor(
    private readonly feeds: readonly string[],
    private readonly dice: Dice,
  ) {}

  get until(): number {
    return this.#stored.at(-1)?.until ?? 0;
  }

  async follow(signal: AbortSignal): Promise<void> {
    for (; !signal.aborted; this.lives += 1) {
      const life = briefLife(this.dice, signal);
      while (!life.aborted)
        await this.#poll(life).catch((error: unknown) => {
          if (!isCut(error)) this.faults.push(String(error));
        });
    }
  }

  async #poll(signal: AbortSignal): Promise<void> {
    await wait(20 + this.dice.below(200), undefined, { signal });
    const cursor = formatCursor(this.until);
    const partial = await this.#read(this.dice.pick(['.atom', `/complete.atom?since=${cursor}`]), signal);
    const feed = partial.since > this.until ? await this.#read('/complete.atom', signal) : partial;
    const items = feed.items.map(({ sync }) => [sync.id, sync.updates] as const);
    // Some die before they have stored anything, some before they have stored `until`.
    if (this.dice.below(8) === 0) return;
    this.#stored.push({ until: this.dice.below(8) === 0 ? this.until : feed.until, items });
  }

  async #read(path: string, signal: AbortSignal): Promise<SyncFeed> {
    const response = await responseOf(`${this.dice.pick(this.feeds)}${path}`, signal);
    const text = await response.text();
    const [, updated = ''] = text.split(/<\/?updated>/, 2);
    const feed = readSyncFeed(text);
    if (feed.until < this.until || updated < this.#updated)
      this.faults.push(`${feed.until}, ${updated} after ${this.until}, ${this.#updated}`);
    this.#updated = updated;
    return feed;
  }

  /** What it lacked of the log when it had stored an `until`, as `until: item`. */
  missingOf(log: readonly ItemEvent[]): string[] {
    const missing: string[] = [];
    const published = new Map<string, number>();
    const known = new Map<string, number>();
    let place = 0;
    for (const { until, items } of this.#stored) {
      for (const [id, updates] of items) known.set(id, Math.max(updates, known.get(id) ?? 0));
      for (; Number(log[place]?.sequence) <= until; place += 1) {
        const { subject, data } = log[place] as ItemEvent;
        published.set(subject, data.updates);
      }
      for (const [id, updates] of published)
        if ((known.get(id) ?? 0) < updates) missing.push(`${until}: ${id}`);
    }
    return missing;
  }
}
