import { HostQueue, TreeWalk } from '#cse';
import type { Arrival, Download, Progress } from '#cse';
import type { FetchRequest, HttpFetch } from '#core';
import { ByteAllowance } from './byte-allowance.ts';
import type { MirrorDocument } from './document.ts';
import { failureOf, inOptions } from './failure.ts';
import { FeedTooLargeError } from './feed-reading.ts';
import type { FeedWarning } from './feed-violations.ts';
import type { Folder } from './folder.ts';
import { withRequestedFeeds, withRequestedLinks } from './on-demand.ts';
import { Places } from './places.ts';
import { receiveDocument } from './receive-document.ts';
import type { OkResponse } from './receive-document.ts';
import type { SyncSummary } from './summary.ts';
import type { SyncState } from './sync-state.ts';

export interface SyncOptions {
  /** The URL of the root feed, without a fragment. */
  readonly root: string;
  /** How many documents are downloaded at the same time, altogether and from one host. */
  readonly parallel: number;
  readonly parallelPerHost: number;
  readonly maximumDepth: number;
  readonly maximumFiles: number;
  readonly maximumLinks: number;
  readonly maximumBytes: number;
  /** Whether links are followed that are to be downloaded on demand only. */
  readonly onDemand: boolean;
  /** Whether documents stay that nothing in the tree refers to any more. */
  readonly keep: boolean;
  /** Fires when the person asks to stop. */
  readonly interruption: AbortSignal;
}

/**
 * One run that brings a folder in step with a tree: asks `TreeWalk` what to download, and saves and records
 * each document as it arrives.
 */
export class TreeSync {
  readonly #options: SyncOptions;
  readonly #state: SyncState;
  readonly #fetch: HttpFetch;
  readonly #folder: Folder;
  readonly #places: Places;
  readonly #queue: HostQueue<Download>;
  readonly #allowance: ByteAllowance;
  readonly #walk: TreeWalk;
  readonly #warnings: FeedWarning[] = [];
  #downloaded = 0;
  #unchanged = 0;

  constructor(options: SyncOptions, folder: Folder, state: SyncState, fetch: HttpFetch) {
    const {
      root,
      parallel,
      parallelPerHost,
      maximumDepth,
      maximumFiles,
      maximumLinks,
      maximumBytes,
      onDemand,
    } = options;
    this.#options = options;
    this.#state = state;
    this.#fetch = fetch;
    this.#folder = folder;
    this.#places = new Places(root);
    this.#queue = new HostQueue({ parallel, perHost: parallelPerHost });
    this.#allowance = new ByteAllowance(maximumBytes);
    for (const { path } of state.documents.values()) this.#places.occupy(path);
    this.#walk = new TreeWalk(
      root,
      onDemand ? withRequestedFeeds(state.documents) : new Map(state.documents),
      { depth: maximumDepth, documents: maximumFiles, links: maximumLinks, bytes: maximumBytes },
    );
  }

  /** @param show called as the run goes on */
  async run(show: (progress: Progress) => void): Promise<SyncSummary> {
    const inFlight = new Set<Promise<void>>();
    const begin = (download: Download): void => {
      const work = this.#download(download).finally(() => {
        this.#queue.release(download);
        inFlight.delete(work);
      });
      inFlight.add(work);
    };
    try {
      for (;;) {
        this.#queue.add(this.#walk.next());
        show(this.#walk.progress);
        if (!this.#isInterrupted) this.#queue.take().forEach(begin);
        if (inFlight.size === 0) break;
        await Promise.race(inFlight);
      }
    } finally {
      await Promise.allSettled(inFlight);
    }
    return this.#finish();
  }

  get #isInterrupted(): boolean {
    return this.#options.interruption.aborted;
  }

  async #download(download: Download): Promise<void> {
    const receipt = await this.#receive(download);
    if (receipt === undefined) return;
    const { arrival, document } = receipt;
    const seen =
      arrival.kind === 'feed' && this.#options.onDemand
        ? { ...arrival, feed: withRequestedLinks(arrival.feed) }
        : arrival;
    const cached = this.#walk.arrived(download.url, seen);
    if (cached !== undefined && document !== undefined)
      this.#state.record({ ...document, lastBuildDate: cached.lastBuildDate });
  }

  /**
   * Downloads a document into its place; answers undefined where the person has broken it off, and it has
   * neither arrived nor failed.
   */
  async #receive(download: Download): Promise<Receipt | undefined> {
    const before = this.#state.documents.get(download.url);
    try {
      const response = await this.#fetch.get(requestOf(download, before));
      if (response.status === 'ok') return await this.#save(download, response, before);
      this.#unchanged += 1;
      return { arrival: { kind: 'unchanged' }, ...(before && { document: before }) };
    } catch (error) {
      if (error instanceof FeedTooLargeError) return { arrival: { kind: 'too-large' } };
      return this.#isInterrupted
        ? undefined
        : { arrival: { kind: 'failed', ...failureOf(download.url, error) } };
    }
  }

  async #save(
    download: Download,
    response: OkResponse,
    before: MirrorDocument | undefined,
  ): Promise<Receipt> {
    const incoming = this.#folder.incoming();
    const share = this.#allowance.open();
    let isKept = false;
    try {
      const { content, feed, warnings, errors } = await receiveDocument(download, response, incoming, {
        take: (bytes) => this.#allowance.take(share, bytes),
        linksLeft: () => this.#walk.linksLeft(download.url),
      });
      const path = before?.path ?? this.#placeOf(download);
      this.#folder.accept(incoming, path);
      isKept = true;
      this.#warnings.push(...warnings);
      if (content.digest === before?.digest) this.#unchanged += 1;
      else this.#downloaded += 1;
      const arrival: Arrival =
        feed === undefined
          ? { kind: 'file', bytes: content.length }
          : { kind: 'feed', feed, bytes: content.length };
      return {
        arrival,
        document: {
          url: download.url,
          path,
          lastBuildDate: download.lastBuildDate,
          ...content,
          ...(feed && { feed }),
          ...(errors.length > 0 && { errors }),
        },
      };
    } finally {
      this.#allowance.close(share, isKept);
      if (!isKept) this.#folder.reject(incoming);
    }
  }

  #placeOf({ url }: Download): string {
    const path = this.#places.assign(url);
    this.#state.announce(path);
    return path;
  }

  #finish(): SyncSummary {
    const { root, keep: isKeeping } = this.#options;
    const { keep, drop, failures } = this.#walk.end();
    // Where a feed was not read, what it refers to is not known.
    const removed =
      isKeeping || !this.#state.isWhole
        ? []
        : [...drop].flatMap((url) => this.#state.documents.get(url) ?? []);
    for (const { url, path } of removed) {
      this.#folder.remove(path);
      this.#state.remove(url);
    }
    const documents = [...this.#state.documents.values()];
    return {
      downloaded: this.#downloaded,
      bytes: this.#walk.progress.bytes,
      unchanged: this.#unchanged,
      removed: removed.length,
      documents: documents.length,
      rootRead: failures.every(({ url }) => url !== root),
      interrupted: this.#isInterrupted,
      failures: [
        ...failures.map((failure) => ({ ...failure, reason: inOptions(failure.reason) })),
        ...documents.flatMap(({ url, errors = [] }) => (keep.has(url) ? errors : [])),
      ],
      warnings: this.#warnings,
    };
  }
}

/** What one download came to; the document that is to be recorded, where it did not fail. */
interface Receipt {
  readonly arrival: Arrival;
  readonly document?: MirrorDocument;
}

/**
 * A GET that asks for a document only where the folder holds another one, or does not hold it as what is
 * requested.
 */
function requestOf({ url, isFeed }: Download, before: MirrorDocument | undefined): FetchRequest {
  if (before === undefined || (isFeed && before.feed === undefined)) return { url };
  return { url, etag: before.etag, lastModified: before.lastModified };
}
