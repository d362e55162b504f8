import { hash } from 'node:crypto';
import type { Fragment } from '#xml';
import type { MergeJob } from '#contracts';
import { FetchError, fetchPassOf, itemId } from '#core';
import type { Clock, ItemId, JobQueue, Store } from '#core';
import { awaitBacklog } from './backlog.ts';
import { DistinctItems } from './distinct-items.ts';

/** How the items of a feed are handed to the mergers. Bytes are counted as characters. */
export interface BatchLimits {
  /** Items in a merge job. */
  readonly items: number;
  /** Characters of XML in a merge job; one larger item is a batch of its own. */
  readonly characters: number;
  /** Merge or mirror jobs waiting in their queue at which fetching pauses. */
  readonly backlog: number;
}

/** How many merge jobs one fetch may be: their numbers are kept in its manifest. */
const maximumBatches = 200_000;

/**
 * How many items of the partial feed are remembered while the complete one is read; memory is bounded by it.
 */
const rememberedDigests = 100_000;

type Item = MergeJob['fragments'][number];

interface BatchSenderPorts {
  readonly store: Pick<Store, 'items'>;
  readonly queue: JobQueue;
  readonly clock: Clock;
  /**
   * Called from time to time while the mergers are behind, so that a fetch which waits is not taken for dead.
   */
  readonly heartbeat?: () => Promise<void>;
  /** Called before each batch is sent: what is done of it is recorded in the manifest. */
  readonly openManifest?: () => Promise<void>;
}

/**
 * Turns the items of one fetch into merge jobs: drops the ones already known, batches the rest, pauses while
 * the mergers are behind. In a resync, what is dropped as known is marked as brought; the mergers mark the
 * rest.
 */
export class BatchSender {
  /** How many batches there are so far. */
  batches = 0;
  readonly #found = new DistinctItems();
  readonly #sent = new DistinctItems();
  #waiting: Item[] = [];
  #characters = 0;
  #document: Pick<Required<MergeJob>, 'document' | 'base'>;
  /** What the partial feed brought, by digest; with the item's id if it was dropped as known. */
  readonly #partial = new Map<string, string | undefined>();
  #isResync = false;

  /**
   * @param base the address that the feed came from
   * @param isFirst that no fetch of the subscription has ended before, so that none of its items is known
   */
  constructor(
    private readonly ports: BatchSenderPorts,
    private readonly job: Pick<MergeJob, 'collection' | 'subscription' | 'manifest' | 'isStale'>,
    base: string,
    private readonly limits: BatchLimits,
    private readonly isFirst = false,
  ) {
    this.#document = { document: 'feed', base };
  }

  /** How many different items the fetch has found so far. */
  get items(): number {
    return this.#found.count;
  }

  /** How many of them were known: no version of them was sent, or waits for a full batch. */
  get known(): number {
    return this.#found.count - this.#sent.count;
  }

  /** Takes items in the order of the feed; an adopted one has its own digest. */
  async take(fragments: readonly (Fragment & { readonly digest?: string })[]): Promise<void> {
    for (const fragment of fragments) {
      const digest = digestOf(fragment);
      this.#found.add(fragment.id ?? digest);
      const inComplete = this.#document.document === 'complete';
      if (inComplete && this.#partial.has(digest)) continue;
      if (!inComplete && this.#partial.size < rememberedDigests) this.#partial.set(digest, undefined);
      this.#waiting.push({ ...fragment, digest });
      this.#characters += fragment.xml.length;
      if (this.#waiting.length >= this.limits.items || this.#characters >= this.limits.characters)
        await this.flush();
    }
  }

  /** Sends what waits for a full batch. Throws `FetchError` (rule `limit-batches`) for one too many. */
  async flush(): Promise<void> {
    const send = await this.last();
    if (send === undefined) return;
    await this.ports.openManifest?.();
    await send();
  }

  /**
   * Ends the last batch, which is counted from here on: returns what sends it, once there is a manifest, or
   * undefined if there is nothing to send. Throws as `flush` does.
   */
  async last(): Promise<(() => Promise<void>) | undefined> {
    const fragments = await this.#dropKnown(this.#waiting);
    for (const { id, digest } of fragments) this.#sent.add(id ?? digest);
    this.#waiting = [];
    this.#characters = 0;
    if (fragments.length === 0) return undefined;
    if (this.batches === maximumBatches)
      throw new FetchError(
        'limit-batches',
        `The feed makes more than ${maximumBatches} merge jobs; let each have more (FETCH_BATCH_ITEMS, ` +
          'FETCH_BATCH_CHARACTERS).',
      );
    await awaitBacklog(this.ports, 'merge', this.limits.backlog, async () => this.ports.heartbeat?.());
    const data: MergeJob = { version: 1, ...this.job, ...this.#document, batch: this.batches, fragments };
    this.batches += 1;
    return () => this.ports.queue.send([{ queue: 'merge', data }]);
  }

  /**
   * Ends the partial feed: what it brought is not sent again when the complete feed brings it too.
   * @param base the address that the complete feed comes from
   * @param isResync whether the items that neither feed brings will be discarded (FeedSync 4.1.2)
   */
  async beginCompleteFeed(base: string, isResync: boolean): Promise<void> {
    await this.flush();
    this.#isResync = isResync;
    if (isResync) {
      const known = [...this.#partial].flatMap(([digest, id]) =>
        id === undefined ? [] : [{ id: itemId(id), digest }],
      );
      for (let start = 0; start < known.length; start += this.limits.items) {
        await this.#markBrought(known.slice(start, start + this.limits.items));
        await this.ports.heartbeat?.();
      }
    }
    this.#document = { document: 'complete', base };
  }

  async #dropKnown(items: Item[]): Promise<Item[]> {
    if (this.isFirst) return items;
    const { collection, subscription } = this.job;
    // Of an item that the feed repeats only one version can be the known one, and the store does not say
    // which.
    const [once, repeated] = [new Set<string | undefined>(), new Set<string | undefined>()];
    for (const { id } of items) (once.has(id) ? repeated : once).add(id);
    const sources = items.flatMap(({ id, digest }) =>
      id === undefined || repeated.has(id) ? [] : [{ id: itemId(id), subscription, digest }],
    );
    const known =
      sources.length === 0 ? new Set<string>() : await this.ports.store.items.known(collection, sources);
    const dropped = sources.filter(({ id }) => known.has(id));
    if (this.#isResync) await this.#markBrought(dropped);
    else for (const { id, digest } of dropped) if (this.#partial.has(digest)) this.#partial.set(digest, id);
    return items.filter(({ id }) => id === undefined || !known.has(id));
  }

  async #markBrought(items: readonly { id: ItemId; digest: string }[]): Promise<void> {
    const { collection, subscription, manifest } = this.job;
    const fetchPass = fetchPassOf(manifest, this.#document.document);
    if (items.length > 0)
      await this.ports.store.items.remember(
        collection,
        items.map(({ id, digest }) => ({ id, subscription, digest, fetchPass })),
      );
  }
}

function digestOf({ xml, digest }: Fragment & { readonly digest?: string }): string {
  return digest ?? hash('sha256', xml, 'base64url');
}
