import type { CachedDocument } from './cached-document.ts';
import type { Arrival, Download } from './download.ts';
import { planFeed } from './feed-plan.ts';
import { actionOf, earliestDate } from './feed.ts';
import type { Feed, Link } from './feed.ts';
import { ReferenceList } from './reference-list.ts';
import type { Reference } from './reference-list.ts';
import { TreeBudget } from './tree-budget.ts';
import type { TreeLimits } from './tree-limits.ts';
import type { Progress, WalkEnd } from './walk-report.ts';

/** A feed of the tree, as far as it is known. */
interface TreeFeed {
  readonly depth: number;
  isAsked: boolean;
  /** What it says now, or said when it was cached. */
  feed?: Feed;
  /** What its new and newer items link to. */
  wanted: ReadonlySet<string>;
}

/**
 * The synchronisation of one tree, as a decision: what to download next, given what arrived (CSE, Sync Algorithm). It takes the care that
 * the specification asks for where its assumptions do not hold: a document is also asked for where the cache lacks it, or was last in step
 * with an earlier date than its item says. So a walk that was broken off anywhere, or partly failed, is made good by the next one.
 *
 * The feeds of one level are asked for together, then those of the next, and the files last, so neither the order of arrival nor a cycle
 * changes the result, and a document that many items link to is asked for once, for the newest of them. Where a feed has been asked for and
 * a deeper level then links to it with a later date, the next walk asks for it once more: what is published meanwhile is not missed.
 */
export class TreeWalk {
  readonly #root: string;
  readonly #cached: ReadonlyMap<string, CachedDocument>;
  readonly #budget: TreeBudget;
  readonly #feeds = new Map<string, TreeFeed>();
  /** The feeds whose links come next, once all of them have arrived. */
  #level: readonly string[];
  #stage: 'feeds' | 'files' | 'done' = 'feeds';
  #waiting: Download[] = [];
  readonly #underWay = new Map<string, Download>();
  #total = 0;
  #done = 0;

  /**
   * @param root the address of the root feed, absolute and without a fragment
   * @param cached by URL; not changed, and read during the whole walk
   */
  constructor(root: string, cached: ReadonlyMap<string, CachedDocument>, limits: TreeLimits) {
    this.#root = root;
    this.#cached = cached;
    this.#budget = new TreeBudget(limits);
    this.#level = [root];
    this.#openFeed(root, { depth: 0, lastBuildDate: earliestDate, isWanted: true });
  }

  get progress(): Progress {
    return { done: this.#done, total: this.#total, bytes: this.#budget.bytes, failed: this.#budget.failures.size };
  }

  /** Whether there is nothing more to download, and nothing under way. */
  get isDone(): boolean {
    return this.#stage === 'done' && this.#waiting.length === 0 && this.#underWay.size === 0;
  }

  /** What may be downloaded now, in any order, each once; empty where something under way has to arrive first, or the walk is done. */
  next(): Download[] {
    while (!this.isDone) {
      if (this.#waiting.length === 0) {
        if (this.#underWay.size > 0) return [];
        this.#advance();
      } else if (this.#budget.hasBytes) {
        const downloads = this.#waiting;
        this.#waiting = [];
        for (const download of downloads) this.#underWay.set(download.url, download);
        this.#total += downloads.length;
        return downloads;
      } else {
        for (const { url } of this.#waiting) this.#budget.failBytes(url);
        this.#waiting = [];
      }
    }
    return [];
  }

  /**
   * Takes what came of a download that `next` gave. Answers what the cache is to hold of the URL from now on; undefined where that stays as
   * it is, because the download failed or passed the limit `bytes`. Throws `Error` for an arrival that was not asked for so.
   */
  arrived(url: string, arrival: Arrival): CachedDocument | undefined {
    const download = this.#underWay.get(url);
    if (download === undefined) throw new Error(`${url} is not under way.`);
    const cached = this.#cached.get(url);
    const document = documentOf(download, arrival, cached);
    this.#underWay.delete(url);
    this.#done += 1;
    if (arrival.kind === 'failed') {
      this.#budget.fail({ url, rule: arrival.rule, reason: arrival.reason });
      return undefined;
    }
    if (!this.#budget.take(url, arrival.kind === 'unchanged' ? 0 : arrival.bytes ?? 0)) return undefined;
    if (arrival.kind === 'feed') this.#takeFeed(url, arrival.feed, cached?.feed);
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
    const drop = new Set(isKnown ? [...this.#cached.keys()].filter((url) => !keep.has(url)) : []);
    return { keep, drop, failures: [...this.#budget.failures.values()] };
  }

  #takeFeed(url: string, fetched: Feed, cached: Feed | undefined): void {
    const treeFeed = this.#feeds.get(url);
    if (treeFeed === undefined) return;
    const { feed, download } = planFeed(cached, fetched);
    treeFeed.feed = feed;
    treeFeed.wanted = new Set(download.map((link) => link.url));
  }

  #advance(): void {
    if (this.#stage === 'files') {
      this.#stage = 'done';
    } else if (this.#level.length === 0) {
      const reached = this.#reached();
      const files = this.#linked(reached, 'download');
      // A feed that is linked to as a file besides is to be in step with that item too.
      this.#level = [...files].filter(([url, file]) => reached.has(url) && this.#openFeed(url, file)).map(([url]) => url);
      if (this.#level.length > 0) return;
      this.#stage = 'files';
      for (const [url, file] of files) if (!reached.has(url)) this.#openFile(url, file);
    } else {
      const nested = this.#linked(this.#level, 'download-and-process');
      this.#level = [...nested].filter(([url, reference]) => this.#openFeed(url, reference)).map(([url]) => url);
    }
  }

  /** The feeds of the tree. */
  #reached(): ReadonlySet<string> {
    const reached = new Set([this.#root]);
    for (const url of reached) {
      for (const { link } of this.#linksOf([url])) if (actionOf(link) === 'download-and-process') reached.add(link.url);
    }
    return reached;
  }

  /** What feeds link to for this action. Where they link to it for the other action besides, these links count for its date too. */
  #linked(feeds: Iterable<string>, action: 'download' | 'download-and-process'): ReadonlyMap<string, Reference> {
    const sources = [...feeds];
    const named = new Set<string>();
    for (const { link } of this.#linksOf(sources)) if (actionOf(link) === action) named.add(link.url);
    const references = new ReferenceList();
    for (const { link, reference } of this.#linksOf(sources)) if (!link.onDemand && named.has(link.url)) references.add(link.url, reference());
    return references.all;
  }

  *#linksOf(feeds: Iterable<string>): Generator<{ readonly link: Link; readonly reference: () => Reference }> {
    for (const url of feeds) {
      const { feed, depth = 0, wanted } = this.#feeds.get(url) ?? {};
      for (const { lastBuildDate, links } of feed?.items ?? []) {
        for (const link of links) yield { link, reference: () => ({ depth: depth + 1, lastBuildDate, isWanted: wanted?.has(link.url) ?? false }) };
      }
    }
  }

  /** Takes a feed into the tree. Answers whether its links are to be gone through then: not where that has been done already. */
  #openFeed(url: string, reference: Reference): boolean {
    const cached = this.#cached.get(url);
    const known = this.#feeds.get(url);
    const isNeeded = cached?.feed === undefined || isAskedFor(cached, reference);
    if (known !== undefined && (known.isAsked || !isNeeded)) return false;
    if (known === undefined) this.#budget.countDocument();
    const depth = known?.depth ?? reference.depth;
    const isAsked = isNeeded && this.#budget.allows(url, depth, true);
    if (isAsked) this.#waiting.push({ url, isFeed: true, depth, lastBuildDate: reference.lastBuildDate });
    this.#feeds.set(url, { depth, isAsked, feed: cached?.feed, wanted: new Set() });
    return known === undefined || isAsked;
  }

  #openFile(url: string, reference: Reference): void {
    const cached = this.#cached.get(url);
    this.#budget.countDocument();
    if ((cached === undefined || isAskedFor(cached, reference)) && this.#budget.allows(url, reference.depth, false)) {
      this.#waiting.push({ url, isFeed: false, depth: reference.depth, lastBuildDate: reference.lastBuildDate });
    }
  }

  #feedAt(url: string): Feed | undefined {
    return this.#feeds.get(url)?.feed ?? this.#cached.get(url)?.feed;
  }
}

function isAskedFor(cached: CachedDocument, { lastBuildDate, isWanted }: Reference): boolean {
  return isWanted || lastBuildDate > cached.lastBuildDate;
}

function documentOf({ url, isFeed, lastBuildDate }: Download, arrival: Arrival, cached: CachedDocument | undefined): CachedDocument | undefined {
  switch (arrival.kind) {
    case 'failed': return undefined;
    case 'unchanged':
      if (cached === undefined || (isFeed && cached.feed === undefined)) throw new Error(`${url} can't be unchanged: the cache does not hold it.`);
      // What is linked to as a file from now on is no feed of the tree any more.
      return { lastBuildDate, ...(isFeed && cached.feed !== undefined && { feed: cached.feed }) };
    default:
      if (isFeed !== (arrival.kind === 'feed')) throw new Error(`${url} is asked for as a ${isFeed ? 'feed' : 'file'}, not as a ${arrival.kind}.`);
      return { lastBuildDate, ...(arrival.kind === 'feed' && { feed: arrival.feed }) };
  }
}
