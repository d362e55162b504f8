import { finish } from '#core';
import { driveWalk, HostQueue, requestOf, TreeWalk } from '#cse';
import type { Arrival, Download, Failure, Progress } from '#cse';
import type { HttpFetch } from '#core';
import { ByteAllowance } from './byte-allowance.ts';
import type { MirrorDocument } from './document.ts';
import { failureOf, inOptions } from './failure.ts';
import { FeedTooLargeError } from './feed-reading.ts';
import type { FeedWarning } from './feed-violations.ts';
import { FileConflictError } from './folder.ts';
import type { Folder } from './folder.ts';
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
  readonly #inFlight = new Set<Promise<void>>();
  /** What has arrived or failed, and the walk does not know yet. */
  #received: Receipt[] = [];
  readonly #faults: unknown[] = [];
  readonly #warnings: FeedWarning[] = [];
  readonly #conflicts: Failure[] = [];
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
    for (const { path } of this.#state.documents.values()) this.#places.occupy(path);
    this.#walk = new TreeWalk(
      root,
      new Map(state.documents),
      { depth: maximumDepth, documents: maximumFiles, links: maximumLinks, bytes: maximumBytes },
      () => onDemand,
    );
  }

  /** @param show called as the run goes on */
  async run(show: (progress: Progress) => void): Promise<SyncSummary> {
    try {
      await driveWalk(
        this.#walk,
        {
          begin: (downloads) => this.#begin(downloads),
          ended: () => this.#ended(),
          take: (receipt) => this.#take(receipt),
        },
        show,
      );
    } finally {
      await Promise.allSettled(this.#inFlight);
    }
    return this.#finish();
  }

  /** Does something to a file, or notes why it was left as it is. */
  #orConflict(url: string, change: () => void): boolean {
    try {
      change();
      return true;
    } catch (error) {
      if (!(error instanceof FileConflictError)) throw error;
      this.#conflicts.push(failureOf(url, error));
      return false;
    }
  }

  get #isInterrupted(): boolean {
    return this.#options.interruption.aborted;
  }

  #begin(downloads: readonly Download[]): void {
    this.#queue.add(downloads);
    if (this.#isInterrupted) return;
    for (const download of this.#queue.take()) {
      const work = this.#receive(download)
        .then(
          (receipt) => void (receipt && this.#received.push(receipt)),
          (error: unknown) => void this.#faults.push(error),
        )
        .finally(() => {
          this.#queue.release(download);
          this.#inFlight.delete(work);
        });
      this.#inFlight.add(work);
    }
  }

  async #ended(): Promise<readonly Receipt[] | undefined> {
    if (this.#received.length === 0 && this.#inFlight.size > 0) await Promise.race(this.#inFlight);
    if (this.#faults.length > 0) throw this.#faults[0];
    if (this.#received.length === 0 && this.#inFlight.size === 0) return undefined;
    const received = this.#received;
    this.#received = [];
    return received;
  }

  #take({ url, arrival, document }: Receipt): void {
    const cached = finish(this.#walk.arrived(url, arrival));
    if (cached !== undefined && document !== undefined)
      this.#state.record({ ...document, lastBuildDate: cached.lastBuildDate });
  }

  /**
   * Downloads a document into its place; returns undefined if the person has broken it off, and it has
   * neither arrived nor failed.
   */
  async #receive(download: Download): Promise<Receipt | undefined> {
    const { url } = download;
    const before = this.#state.documents.get(url);
    try {
      const response = await this.#fetch.get(
        requestOf(download, before && { ...before, isFeed: before.feed !== undefined }),
      );
      if (response.status === 'ok') return await this.#save(download, response, before);
      this.#unchanged += 1;
      return { url, arrival: { kind: 'unchanged' }, ...(before && { document: before }) };
    } catch (error) {
      if (error instanceof FeedTooLargeError) return { url, arrival: { kind: 'too-large' } };
      return this.#isInterrupted ? undefined : { url, arrival: { kind: 'failed', ...failureOf(url, error) } };
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
      const path = before?.path ?? this.#places.assign(download.url);
      this.#folder.assertHas(path, before?.digest);
      this.#state.announce(path, content.digest);
      this.#folder.accept(incoming, path, before === undefined);
      isKept = true;
      this.#warnings.push(...warnings);
      if (content.digest === before?.digest) this.#unchanged += 1;
      else this.#downloaded += 1;
      const arrival: Arrival =
        feed === undefined
          ? { kind: 'file', bytes: content.length }
          : { kind: 'feed', feed, bytes: content.length };
      return {
        url: download.url,
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

  #finish(): SyncSummary {
    const { root, keep: isKeeping } = this.#options;
    const { keep, drop, failures } = this.#walk.end();
    // Where a feed was not read, what it refers to is not known.
    const dropped =
      isKeeping || !this.#state.isWhole
        ? []
        : [...drop].flatMap((url) => this.#state.documents.get(url) ?? []);
    const removed = dropped.filter((document) => {
      const isRemoved = this.#orConflict(document.url, () => this.#folder.remove(document));
      this.#state.remove(document.url);
      return isRemoved;
    });
    const documents = [...this.#state.documents.values()];
    const failed = new Set(failures.map(({ url }) => url));
    for (const document of documents)
      if (!failed.has(document.url) && this.#folder.hasLength(document) === false)
        this.#conflicts.push(failureOf(document.url, new FileConflictError(document.path, true)));
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
        ...this.#conflicts,
      ],
      warnings: this.#warnings,
    };
  }
}

/** What one download came to; the document that is to be recorded, if it did not fail. */
interface Receipt {
  readonly url: string;
  readonly arrival: Arrival;
  readonly document?: MirrorDocument;
}
