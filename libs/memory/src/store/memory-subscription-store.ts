import type { Clock, Cursor, FeedSummary, FetchReport, NextFetch, Subscription, SubscriptionStatus, SubscriptionStore, TreeProgress } from '#ports';
import type { Records } from './records.ts';
import { follows } from './records.ts';

/** A subscription with the end of its manifest's claim, by the clock, in milliseconds; 0 where there is none. */
export interface ClaimedSubscription {
  readonly collection: string;
  readonly id: string;
  readonly subscription: Subscription;
  readonly claimedUntil: number;
}

/** Subscriptions in memory. */
export class MemorySubscriptionStore implements SubscriptionStore {
  readonly #records: Records<ClaimedSubscription>;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(records: Records<ClaimedSubscription>, clock: Pick<Clock, 'now'>) {
    this.#records = records;
    this.#clock = clock;
  }

  async put(given: Subscription): Promise<{ created: boolean; subscription: Subscription }> {
    const { collection, id, url, interval, status, nextFetchAt, nextFetchReason } = given;
    const stored = this.#records.get(collection, id);
    if (!stored) return { created: true, subscription: this.#set(given, 0) };
    const { manifest: _ended, feed: _formerFeed, progress: _formerProgress, ...former } = stored.subscription;
    if (former.url === url) {
      return { created: false, subscription: this.#set({ ...stored.subscription, interval, status }, stored.claimedUntil) };
    }
    const restarted = { ...former, url, interval, status, cursor: {}, cursorVersion: former.cursorVersion + 1, failures: 0, nextFetchAt, nextFetchReason };
    return { created: false, subscription: this.#set(restarted, 0) };
  }

  async find(collection: string, id: string): Promise<Subscription | undefined> {
    return this.#records.get(collection, id)?.subscription;
  }

  async list(collection: string, { after, limit }: { after?: string; limit: number }): Promise<Subscription[]> {
    const found = this.#records.select({ where: (record) => record.collection === collection && follows(record.id, after), limit });
    return found.map(({ subscription }) => subscription);
  }

  async remove(collection: string, id: string): Promise<boolean> {
    return this.#records.delete(collection, id);
  }

  async due(now: Date, limit: number): Promise<Subscription[]> {
    const found = this.#records.select({
      where: ({ subscription, claimedUntil }) => subscription.status === 'active' && subscription.nextFetchAt <= now && !this.#runs(claimedUntil),
      order: ({ subscription }) => subscription.nextFetchAt.getTime(),
      limit,
    });
    return found.map(({ subscription }) => subscription);
  }

  async refresh(collection: string, id: string, { nextFetchAt, nextFetchReason }: NextFetch, activate: boolean): Promise<Subscription | undefined> {
    return this.#change(collection, id, { nextFetchAt, nextFetchReason, ...(activate && { status: 'active' }) });
  }

  async pause(collection: string, id: string): Promise<Subscription | undefined> {
    return this.#change(collection, id, { status: 'paused' });
  }

  async claim(collection: string, id: string, manifest: string, duration: number): Promise<Subscription | undefined> {
    const stored = this.#records.get(collection, id);
    if (stored?.subscription.status !== 'active' || this.#runs(stored.claimedUntil)) return undefined;
    return this.#set({ ...stored.subscription, manifest }, this.#end(duration));
  }

  async prolong(collection: string, id: string, manifest: string, duration: number, progress?: TreeProgress): Promise<boolean> {
    const stored = this.#records.get(collection, id);
    if (stored?.subscription.manifest !== manifest) return false;
    this.#set({ ...stored.subscription, ...(progress && { progress }) }, Math.max(stored.claimedUntil, this.#end(duration)));
    return true;
  }

  async settle(
    collection: string,
    id: string,
    manifest: string,
    result: NextFetch & { report: FetchReport; cursor?: Cursor; feed?: FeedSummary; status?: SubscriptionStatus; url?: string },
  ): Promise<boolean> {
    const stored = this.#records.get(collection, id);
    if (stored?.subscription.manifest !== manifest) return false;
    const { report, cursor, feed, status, url, nextFetchAt, nextFetchReason } = result;
    const { manifest: _ended, ...former } = stored.subscription;
    const succeeded = report.outcome === 'fetched' || report.outcome === 'not-modified';
    const settled = {
      ...former,
      nextFetchAt,
      nextFetchReason,
      last: report,
      ...(report.progress && { progress: report.progress }),
      status: status ?? former.status,
      url: url ?? former.url,
      cursor: cursor ?? former.cursor,
      cursorVersion: former.cursorVersion + (cursor ? 1 : 0),
      ...(feed && { feed }),
      failures: succeeded ? 0 : former.failures + 1,
    };
    this.#set(settled, 0);
    return true;
  }

  #change(collection: string, id: string, change: Partial<Subscription>): Subscription | undefined {
    const stored = this.#records.get(collection, id);
    if (!stored || stored.subscription.status === 'gone') return undefined;
    return this.#set({ ...stored.subscription, ...change }, stored.claimedUntil);
  }

  #set(subscription: Subscription, claimedUntil: number): Subscription {
    const { collection, id } = subscription;
    this.#records.set({ collection, id, subscription, claimedUntil });
    return structuredClone(subscription);
  }

  #runs(claimedUntil: number): boolean {
    return claimedUntil > this.#clock.now().getTime();
  }

  #end(duration: number): number {
    return this.#clock.now().getTime() + duration;
  }
}
