import type { Steps } from '#core';
import { documentOf } from './arrived-document.ts';
import type { CachedDocument } from './cached-document.ts';
import type { Arrival, Download, Failure } from './download.ts';
import { planFeed } from './feed-plan.ts';
import { actionOf, earliestDate } from './feed.ts';
import type { Feed, Item } from './feed.ts';
import { feedSize } from './feed-size.ts';
import { asRequested, CachedAsRequested } from './on-demand.ts';
import { linkedDocuments } from './linked-documents.ts';
import type { Reference } from './reference-list.ts';
import { TreeBudget } from './tree-budget.ts';
import type { TreeLimits } from './tree-limits.ts';
import type { Progress, WalkEnd } from './walk-report.ts';

/** A feed of the tree, as far as it is known. */
interface TreeFeed {
  readonly depth: number;
  isAsked: boolean;
  /**
   * What it says now, or said when it was cached; absent if that is not known, or too large for the tree.
   */
  feed?: Feed;
  /** What is counted of it against the limit `links`. */
  size: number;
  /** What its new and newer items link to. */
  wanted: ReadonlySet<string>;
}

/**
 * The synchronisation of one tree, as a decision: what to download next, given what arrived (CSE, Sync
 * Algorithm). It takes the care that the specification asks for where its assumptions do not hold: a document
 * is also requested if the cache lacks it, or was last in step with an earlier date than its item says. So
 * a walk that was broken off anywhere, or partly failed, is made good by the next one.
 *
 * The feeds of one level are requested together, then those of the next, and the files last, so neither the
 * order of arrival nor a cycle changes the result, and a document that many items link to is requested once,
 * for the newest of them. Where a feed has been requested and a deeper level then links to it with a later
 * date, the next walk asks for it once more: what is published meanwhile is not missed.
 *
 * What takes long in a large tree is done in steps. One piece of work ends before the next one begins.
 */
export class TreeWalk {
  readonly #root: string;
  readonly #cached: CachedAsRequested;
  readonly #isRequested: (url: string) => boolean;
  readonly #budget: TreeBudget;
  readonly #feeds = new Map<string, TreeFeed>();
  /** The feeds whose links come next, once all of them have arrived. */
  #level: readonly string[];
  #stage: 'feeds' | 'files' | 'done' = 'feeds';
  #waiting: Download[] = [];
  readonly #inFlight = new Map<string, Download>();
  #total = 0;
  #done = 0;

  /**
   * @param root the address of the root feed, absolute and without a fragment
   * @param cached by URL; stays as it is during the walk
   * @param isRequested whether somebody has requested what is behind a link on demand; nobody has by default
   */
  constructor(
    root: string,
    cached: ReadonlyMap<string, CachedDocument>,
    limits: TreeLimits,
    isRequested: (url: string) => boolean = () => false,
  ) {
    this.#root = root;
    this.#cached = new CachedAsRequested(cached, isRequested);
    this.#isRequested = isRequested;
    this.#budget = new TreeBudget(limits);
    this.#level = [root];
    this.#openFeed(root, { depth: 0, lastBuildDate: earliestDate, isWanted: true });
  }

  get progress(): Progress {
    return {
      done: this.#done,
      total: this.#total,
      bytes: this.#budget.bytes,
      failed: this.#budget.failures.size,
    };
  }

  /** Whether there is nothing more to download, and nothing in progress. */
  get isDone(): boolean {
    return this.#stage === 'done' && this.#waiting.length === 0 && this.#inFlight.size === 0;
  }

  /**
   * What may be downloaded now, in any order, each once; empty if something in progress has to arrive
   * first, or the walk is done.
   */
  *next(): Steps<Download[]> {
    while (!this.isDone) {
      if (this.#waiting.length === 0) {
        if (this.#inFlight.size > 0) return [];
        yield* this.#advance();
      } else if (this.#budget.hasBytes) {
        const downloads = this.#waiting;
        this.#waiting = [];
        for (const download of downloads) this.#inFlight.set(download.url, download);
        this.#total += downloads.length;
        return downloads;
      } else {
        for (const { url } of this.#waiting) this.#budget.failBytes(url);
        this.#waiting = [];
      }
    }
    return [];
  }

  /** What failed so far, by URL. */
  get failures(): ReadonlyMap<string, Failure> {
    return this.#budget.failures;
  }

  /**
   * How large (`feedSize`) a feed may be that is in progress: one that is larger passes the limit `links`
   * when it arrives.
   */
  linksLeft(url: string): number {
    return this.#budget.linksLeft(this.#feeds.get(url)?.size ?? 0);
  }

  /**
   * Takes what came of a download that `next` gave. Returns what the cache is to hold of the URL from now on;
   * undefined if that stays as it is, because the download failed or passed the limit `bytes` or `links`.
   * Throws `Error` for an arrival that was not requested so.
   */
  *arrived(url: string, arrived: Arrival): Steps<CachedDocument | undefined> {
    const arrival =
      arrived.kind === 'feed' ? { ...arrived, feed: asRequested(arrived.feed, this.#isRequested) } : arrived;
    const download = this.#inFlight.get(url);
    if (download === undefined) throw new Error(`${url} is not in progress.`);
    const cached = this.#cached.get(url);
    const document = documentOf(download, arrival, cached);
    this.#inFlight.delete(url);
    this.#done += 1;
    if (arrival.kind === 'failed') {
      this.#budget.fail({ url, rule: arrival.rule, reason: arrival.reason });
      return undefined;
    }
    if (arrival.kind === 'too-large') {
      this.#budget.failLinks(url);
      return undefined;
    }
    if (!this.#budget.take(url, arrival.kind === 'unchanged' ? 0 : (arrival.bytes ?? 0))) return undefined;
    if (document?.feed === undefined) return document;
    if (!this.#holdsFeed(url, document.feed)) return undefined;
    // What is as it was has no item that is new or newer.
    if (document.feed !== cached?.feed) yield* this.#want(url, document.feed, cached?.feed);
    return document;
  }

  /** What the cache is to keep and to drop; what failed. */
  end(): WalkEnd {
    const keep = new Set([this.#root]);
    for (const url of keep) {
      for (const { links } of this.#feedAt(url)?.items ?? []) {
        for (const link of links) keep.add(link.url);
      }
    }
    const isKnown = this.isDone && this.#feedAt(this.#root) !== undefined;
    const drop = new Set(isKnown ? [...this.#cached.urls].filter((url) => !keep.has(url)) : []);
    return { keep, drop, failures: [...this.#budget.failures.values()] };
  }

  /** Takes what a feed of the tree says now, unless that is too large; a failure is noted then. */
  #holdsFeed(url: string, fetched: Feed): boolean {
    const treeFeed = this.#feeds.get(url);
    if (treeFeed === undefined) return true;
    const size = feedSize(fetched);
    if (size > this.linksLeft(url)) {
      this.#budget.failLinks(url);
      return false;
    }
    this.#budget.countLinks(size, treeFeed.size);
    treeFeed.size = size;
    treeFeed.feed = fetched;
    return true;
  }

  /** Notes what the new and newer items of a feed link to. */
  *#want(url: string, fetched: Feed, cached: Feed | undefined): Steps<void> {
    const wanted = new Set<string>();
    for (const link of (yield* planFeed(cached, fetched)).download) {
      wanted.add(link.url);
      yield;
    }
    const treeFeed = this.#feeds.get(url);
    if (treeFeed !== undefined) treeFeed.wanted = wanted;
  }

  *#advance(): Steps<void> {
    if (this.#stage === 'files') {
      this.#stage = 'done';
    } else if (this.#level.length === 0) {
      const reached = yield* this.#reached();
      const files = yield* this.#linked(reached, 'download');
      // A feed that is linked to as a file besides is to be in step with that item too.
      this.#level = yield* this.#openFeeds(files, (url) => reached.has(url));
      if (this.#level.length > 0) return;
      this.#stage = 'files';
      for (const [url, file] of files) {
        if (!reached.has(url)) this.#openFile(url, file);
        yield;
      }
    } else {
      const nested = yield* this.#linked(this.#level, 'download-and-process');
      this.#level = yield* this.#openFeeds(nested, () => true);
    }
  }

  /** Takes feeds into the tree; returns those whose links are to be gone through then. */
  *#openFeeds(references: ReadonlyMap<string, Reference>, isFeed: (url: string) => boolean): Steps<string[]> {
    const opened: string[] = [];
    for (const [url, reference] of references) {
      if (isFeed(url) && this.#openFeed(url, reference)) opened.push(url);
      yield;
    }
    return opened;
  }

  /** The feeds of the tree. */
  *#reached(): Steps<ReadonlySet<string>> {
    const reached = new Set([this.#root]);
    for (const url of reached) {
      for (const { links } of this.#itemsOf(url)) {
        for (const link of links) if (actionOf(link) === 'download-and-process') reached.add(link.url);
        yield;
      }
    }
    return reached;
  }

  /** What feeds link to for this action. */
  #linked(feeds: Iterable<string>, action: 'download' | 'download-and-process') {
    const feedAt = (url: string) => ({ depth: 0, ...this.#feeds.get(url), items: this.#itemsOf(url) });
    return linkedDocuments(Array.from(feeds, feedAt), action);
  }

  #itemsOf(feed: string): readonly Item[] {
    return this.#feeds.get(feed)?.feed?.items ?? [];
  }

  /**
   * Takes a feed into the tree. Returns whether its links are to be gone through then: not if that has
   * been done already.
   */
  #openFeed(url: string, reference: Reference): boolean {
    const cached = this.#cached.get(url);
    const known = this.#feeds.get(url);
    const isNeeded = cached?.feed === undefined || isRequested(cached, reference);
    if (known !== undefined && (known.isAsked || !isNeeded)) return false;
    if (known === undefined) this.#budget.countDocument();
    const depth = known?.depth ?? reference.depth;
    const isAsked = isNeeded && this.#budget.allows(url, depth, true);
    if (isAsked) this.#waiting.push({ url, isFeed: true, depth, lastBuildDate: reference.lastBuildDate });
    if (known === undefined) this.#feeds.set(url, { depth, isAsked, size: 0, wanted: new Set() });
    else known.isAsked = isAsked;
    if (known === undefined && cached?.feed !== undefined) this.#holdFeed(url, cached.feed, isAsked);
    return known === undefined || isAsked;
  }

  /**
   * Goes by the cached feed until it is fetched, and if it is not. One that is too large for the tree by
   * now stays as it is and is not gone through.
   */
  #holdFeed(url: string, feed: Feed, isAsked: boolean): void {
    if (feedSize(feed) <= this.linksLeft(url)) this.#holdsFeed(url, feed);
    else if (!isAsked) this.#budget.failLinks(url);
  }

  #openFile(url: string, reference: Reference): void {
    const cached = this.#cached.get(url);
    this.#budget.countDocument();
    if (
      (cached === undefined || isRequested(cached, reference)) &&
      this.#budget.allows(url, reference.depth, false)
    ) {
      this.#waiting.push({
        url,
        isFeed: false,
        depth: reference.depth,
        lastBuildDate: reference.lastBuildDate,
      });
    }
  }

  #feedAt(url: string): Feed | undefined {
    return this.#feeds.get(url)?.feed ?? this.#cached.get(url)?.feed;
  }
}

function isRequested(cached: CachedDocument, { lastBuildDate, isWanted }: Reference): boolean {
  return isWanted || lastBuildDate > cached.lastBuildDate;
}
