import { driveWalk, TreeWalk } from '#cse';
import type { Arrival, CachedDocument, Download, Failure, Progress } from '#cse';
import { FetchError, finish, inSlices } from '#core';
import type { CachedCopy, Freshness, Steps } from '#core';
import type { FetchPorts } from '../fetch-ports.ts';
import type { FetchSettings } from '../fetch-settings.ts';
import { walkFailure } from './download-failure.ts';
import { fetchRoot } from './fetch-root.ts';
import type { FetchedRoot } from './fetch-root.ts';
import { DownloadsInFlight } from './downloads-in-flight.ts';
import type { EndedDownload } from './downloads-in-flight.ts';
import type { ProgressReport } from './progress-report.ts';
import { requested } from './requested-links.ts';
import type { TreeCache } from './tree-cache.ts';
import { jobOf } from './tree-fetch.ts';
import type { TreeFetch } from './tree-fetch.ts';

/** The copy of a document is gone, or can't be read, although it has just been downloaded. */
const lostCopy: Arrival = {
  kind: 'failed',
  rule: 'copy-lost',
  reason: 'Its copy was lost again after it was downloaded; it is downloaded once more with the next fetch.',
};

/** The job of a download was sent again and again. */
const silentDownload: Arrival = {
  kind: 'failed',
  rule: 'download-silent',
  reason: 'Nothing was heard of its download, however often it was requested (TREE_RESEND_MS).',
};

/**
 * One walk through a tree (CSE, Sync Algorithm): what `TreeWalk` requests is downloaded by jobs, and it
 * gets the results.
 */
export class WalkRun {
  /** What is to be fetched although it may be on demand. */
  readonly asked: ReadonlySet<string>;
  readonly #ports: FetchPorts;
  readonly #settings: FetchSettings;
  readonly #fetch: TreeFetch;
  readonly #cache: TreeCache;
  readonly #cached: ReadonlyMap<string, CachedDocument>;
  readonly #walk: TreeWalk;
  readonly #inFlight: DownloadsInFlight;
  /** Before the next look at what has arrived, in milliseconds. */
  #pause: number;
  /** Bytes that have arrived, kept or not. */
  #bytes = 0;

  private constructor(
    ports: FetchPorts,
    settings: FetchSettings,
    fetch: TreeFetch,
    cache: TreeCache,
    known: { readonly asked: ReadonlySet<string>; readonly cached: ReadonlyMap<string, CachedDocument> },
  ) {
    this.#ports = ports;
    this.#settings = settings;
    this.#fetch = fetch;
    this.#cache = cache;
    this.asked = known.asked;
    this.#cached = known.cached;
    this.#walk = new TreeWalk(fetch.root, this.#cached, settings.tree.limits, (url) => this.asked.has(url));
    this.#inFlight = new DownloadsInFlight(ports, jobOf(fetch), settings.tree);
    this.#pause = this.#shortestPause;
  }

  /** @param cache loaded; holds what the walk leaves when it has ended */
  static async begin(
    ports: FetchPorts,
    settings: FetchSettings,
    fetch: TreeFetch,
    cache: TreeCache,
  ): Promise<WalkRun> {
    const asked = await inSlices(requested(cache));
    const cached = await inSlices(cachedDocuments(cache));
    return new WalkRun(ports, settings, fetch, cache, { asked, cached });
  }

  get progress(): Progress {
    return this.#walk.progress;
  }

  /** By URL. */
  get failures(): ReadonlyMap<string, Failure> {
    return this.#walk.failures;
  }

  /**
   * Walks to the end; returns how long the root calls itself fresh.
   * @param root as it was just downloaded; it is downloaded now if absent
   * @throws FetchError or FeedError if the root could not be fetched; LeaseLostError if another fetch has
   *   begun
   */
  async walk(report: ProgressReport, root?: FetchedRoot): Promise<Freshness> {
    const freshness = await this.#takeRoot(root);
    await driveWalk<EndedDownload>(
      this.#walk,
      {
        begin: (downloads) => this.#begin(downloads),
        ended: () => this.#ended(),
        take: (ended) => this.#take(ended),
      },
      (progress) => report.announce(progress),
    );
    return freshness;
  }

  /** The root is downloaded here: what becomes of it is what becomes of the fetch. */
  async #takeRoot(known: FetchedRoot | undefined): Promise<Freshness> {
    const { root } = this.#fetch;
    let freshness: Freshness = {};
    for (const download of await inSlices(this.#walk.next())) {
      const fetched =
        known ??
        (await fetchRoot(this.#ports, this.#settings.scan, this.#fetch, this.#cache.documents.get(root)));
      ({ freshness } = fetched);
      if (fetched.document !== undefined) await this.#take({ download, document: fetched.document });
    }
    const failure = this.failures.get(root);
    if (failure !== undefined) throw new FetchError(failure.rule, `${root}: ${walkFailure(failure).reason}`);
    return freshness;
  }

  async #begin(downloads: readonly Download[]): Promise<void> {
    this.#inFlight.add(downloads);
    this.#giveUp();
    await this.#inFlight.send();
  }

  async #ended(): Promise<readonly EndedDownload[]> {
    await this.#ports.clock.wait(this.#pause);
    const ended = await this.#inFlight.ended();
    // Where something comes, more is about to.
    this.#pause =
      ended.length > 0 ? this.#shortestPause : Math.min(this.#pause * 2, this.#settings.tree.poll);
    return ended;
  }

  get #shortestPause(): number {
    return Math.ceil(this.#settings.tree.poll / 16);
  }

  async #take({ download, document }: EndedDownload): Promise<void> {
    const { url } = download;
    const former = this.#cache.documents.get(url);
    const formerFeed = this.#cache.feeds.get(url);
    const arrival = await this.#arrivalOf({ download, document }, former?.copy);
    const kept = await inSlices(this.#walk.arrived(url, arrival));
    if (document.outcome?.kind === 'arrived') this.#bytes += document.outcome.bytes;
    if (arrival.kind === 'failed' || kept !== undefined) return;
    // The walk does not want what has arrived: what was there before is there again.
    const { collection } = document;
    const failure = this.failures.get(url);
    if (former?.copy === undefined) await this.#cache.forget(document);
    if (failure !== undefined)
      await this.#ports.store.documents.record(
        collection,
        url,
        { manifest: this.#fetch.manifest, kind: 'failed', ...walkFailure(failure) },
        former?.copy,
      );
    if (former !== undefined) this.#cache.restore(former, formerFeed);
  }

  /**
   * What came of a download, for the walk; the cache is as the document says. What is unchanged may be a copy
   * that the walk does not know: one that a download of a fetch that is over has just recorded.
   * @param former the copy that the walk knows
   */
  async #arrivalOf(
    { download: { url, isFeed }, document }: EndedDownload,
    former: CachedCopy | undefined,
  ): Promise<Arrival> {
    const { outcome, copy } = document;
    this.#cache.documents.set(url, document);
    if (outcome?.kind === 'failed') return outcome;
    if (outcome === undefined || copy === undefined) return lostCopy;
    const known = this.#cached.get(url);
    const isKnown =
      (isFeed ? known?.feed : known) !== undefined &&
      former?.digest === copy.digest &&
      former.parsed === copy.parsed;
    if (outcome.kind === 'unchanged' && isKnown) return { kind: 'unchanged' };
    const bytes = outcome.kind === 'arrived' ? outcome.bytes : 0;
    if (!isFeed) return { kind: 'file', bytes };
    const reading = await this.#cache.readFeed(document, this.#walk.linksLeft(url));
    if (reading === 'too-large') return { kind: 'too-large' };
    if (reading !== 'lost') return { kind: 'feed', feed: reading.feed, bytes };
    await this.#cache.forget(document);
    return lostCopy;
  }

  /** Gives up what is never heard of, and if enough bytes have come what has not been requested yet. */
  #giveUp(): void {
    for (const { url } of this.#inFlight.giveUp()) finish(this.#walk.arrived(url, silentDownload));
    if (this.#bytes < this.#settings.tree.limits.bytes) return;
    for (const { url } of this.#inFlight.abandon())
      finish(this.#walk.arrived(url, { kind: 'failed', ...this.#tooManyBytes }));
  }

  get #tooManyBytes(): { readonly rule: string; readonly reason: string } {
    return {
      rule: 'limit-bytes',
      reason: `More than ${this.#settings.tree.limits.bytes} bytes would be downloaded (TREE_BYTES).`,
    };
  }
}

/** Returns what a walk needs of the cached copies, by URL. */
function* cachedDocuments({ documents, feeds }: TreeCache): Steps<ReadonlyMap<string, CachedDocument>> {
  const cached = new Map<string, CachedDocument>();
  for (const { url, copy } of documents.values()) {
    const feed = feeds.get(url);
    if (copy !== undefined) cached.set(url, { lastBuildDate: copy.lastBuildDate, ...(feed && { feed }) });
    yield;
  }
  return cached;
}
