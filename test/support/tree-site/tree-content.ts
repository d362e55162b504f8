import { createHash } from 'node:crypto';
import { feedXml } from './site-xml.ts';
import type { SiteItem, SiteLink } from './site-xml.ts';
import { TreePlan, upTo } from './tree-plan.ts';
import type { TreeSize } from './tree-plan.ts';
import type { ItemState, TreeState } from './tree-state.ts';

/** Dates are in whole seconds from here on. */
const beginning = Date.UTC(2026, 0, 1);

/**
 * What a generated tree holds at this moment: deterministic, but for what was changed and deleted. Items are
 * known by their numbers.
 */
export class TreeContent {
  readonly plan: TreePlan;
  /** How often each item was changed, and each file. */
  readonly #itemVersions = new Map<number, number>();
  readonly #fileVersions = new Map<number, number>();
  /** When each was changed last, in seconds since the beginning; at 0 if it never was. */
  readonly #itemDates = new Map<number, number>();
  readonly #feedDates = new Map<number, number>();
  readonly #fileDates = new Map<number, number>();
  readonly #deleted = new Set<number>();
  #now = 0;

  constructor(size: TreeSize) {
    this.plan = new TreePlan(size);
  }

  /** Gives the items new titles and their files new bodies. */
  change(items: readonly number[]): void {
    this.#now += 1;
    const files = new Set(items.flatMap((item) => this.plan.filesOf(item)));
    for (const file of files) {
      this.#fileVersions.set(file, this.#fileVersion(file) + 1);
      this.#fileDates.set(file, this.#now);
    }
    for (const item of items) {
      this.#itemVersions.set(item, (this.#itemVersions.get(item) ?? 0) + 1);
      this.#itemDates.set(item, this.#now);
      this.#raise(this.plan.feedOf(item));
    }
  }

  delete(items: readonly number[]): void {
    this.#now += 1;
    for (const item of items) {
      this.#deleted.add(item);
      this.#raise(this.plan.feedOf(item));
    }
  }

  feedPath(feed: number): string {
    return feed === 0 ? '/tree/root.xml' : `/tree/feeds/${feed}.xml`;
  }

  filePath(file: number): string {
    return `/tree/files/${file % 100}/${file}.txt`;
  }

  onDemandPath(item: number): string {
    return `/tree/demand/${item}.txt`;
  }

  /** The documents by path, those on demand among them. */
  get paths(): readonly string[] {
    const items = this.#items();
    const files = new Set(items.flatMap((item) => this.plan.filesOf(item)));
    const onDemand = items.filter((item) => this.plan.hasOnDemand(item));
    return [
      ...upTo(this.plan.size.feeds).map((feed) => this.feedPath(feed)),
      ...[...files].map((file) => this.filePath(file)),
      ...onDemand.map((item) => this.onDemandPath(item)),
    ];
  }

  /** What a mirror in step requests after a change of these items. */
  pathsTo(items: readonly number[]): readonly string[] {
    const paths = new Set<string>();
    for (const item of items) {
      for (
        let feed: number | undefined = this.plan.feedOf(item);
        feed !== undefined;
        feed = this.plan.parentOf(feed)
      )
        paths.add(this.feedPath(feed));
      if (!this.#deleted.has(item))
        for (const file of this.plan.filesOf(item)) paths.add(this.filePath(file));
    }
    return [...paths].toSorted();
  }

  /** @param linkTo the address of a document as a feed writes it */
  body(path: string, linkTo: (path: string, from: string) => string): string | undefined {
    const document = documentAt(path);
    if (document === undefined) return undefined;
    const { kind, number } = document;
    if (kind === 'feed') return this.#feedXml(number, linkTo);
    return kind === 'file' ? this.#fileBody(number) : `on demand ${number}`;
  }

  lastModified(path: string): Date {
    const { kind, number } = documentAt(path) ?? {};
    const dates = kind === 'feed' ? this.#feedDates : kind === 'file' ? this.#fileDates : undefined;
    return dateOf((number === undefined ? undefined : dates?.get(number)) ?? 0);
  }

  /** What a complete mirror holds, without what is on demand. */
  state(): TreeState {
    return Object.fromEntries(
      upTo(this.plan.size.feeds).map((feed) => [
        feed === 0 ? 'root' : nestedGuid(feed),
        this.#feedState(feed),
      ]),
    );
  }

  #feedState(feed: number): ItemState[] {
    const nested = this.plan.childrenOf(feed).map((child) => ({
      guid: nestedGuid(child),
      title: `Feed ${child}`,
      hidden: true,
      links: [{ feed: nestedGuid(child) }],
    }));
    const leaves = this.#itemsIn(feed).map((item) => {
      const files = this.plan
        .filesOf(item)
        .map((file) => ({ file: createHash('sha256').update(this.#fileBody(file)).digest('hex') }));
      return {
        guid: leafGuid(item),
        title: this.#title(item),
        hidden: false,
        links: this.plan.hasOnDemand(item) ? [...files, 'on demand' as const] : files,
      };
    });
    return [...nested, ...leaves];
  }

  #feedXml(feed: number, linkTo: (path: string, from: string) => string): string {
    const from = this.feedPath(feed);
    const nested = this.plan.childrenOf(feed).map((child): SiteItem => {
      const link = { to: linkTo(this.feedPath(child), from), nestedFeed: true };
      return {
        guid: nestedGuid(child),
        title: `Feed ${child}`,
        hidden: true,
        lastBuildDate: dateOf(this.#feedDate(child)),
        links: [link],
      };
    });
    const leaves = this.#itemsIn(feed).map((item): SiteItem => {
      const files = this.plan.filesOf(item).map((file, place): SiteLink => ({
        to: linkTo(this.filePath(file), from),
        isInner: place % 2 === 1,
      }));
      const onDemand = this.plan.hasOnDemand(item)
        ? [{ to: linkTo(this.onDemandPath(item), from), onDemand: true }]
        : [];
      return {
        guid: leafGuid(item),
        title: this.#title(item),
        hidden: false,
        lastBuildDate: dateOf(this.#itemDates.get(item) ?? 0),
        links: [...files, ...onDemand],
      };
    });
    return feedXml(`Feed ${feed}`, dateOf(this.#feedDate(feed)), [...nested, ...leaves]);
  }

  #items(): number[] {
    return upTo(this.plan.leaves).filter((item) => !this.#deleted.has(item));
  }

  #itemsIn(feed: number): number[] {
    return this.plan.itemsIn(feed).filter((item) => !this.#deleted.has(item));
  }

  #title(item: number): string {
    return `Item ${item}, version ${this.#itemVersions.get(item) ?? 0}`;
  }

  #fileBody(file: number): string {
    const version = this.#fileVersion(file);
    return this.plan.isCopy(file)
      ? `one of the copies of ${file % 7}, version ${version}`
      : `file ${file}, version ${version}`;
  }

  #fileVersion(file: number): number {
    return this.#fileVersions.get(file) ?? 0;
  }

  #feedDate(feed: number): number {
    return this.#feedDates.get(feed) ?? 0;
  }

  /** Propagates the date of now to a feed and every feed above it. */
  #raise(from: number): void {
    for (let feed: number | undefined = from; feed !== undefined; feed = this.plan.parentOf(feed))
      this.#feedDates.set(feed, this.#now);
  }
}

/** What stands at a path that `feedPath`, `filePath` or `onDemandPath` has made. */
function documentAt(
  path: string,
): { readonly kind: 'feed' | 'file' | 'on demand'; readonly number: number } | undefined {
  if (path === '/tree/root.xml') return { kind: 'feed', number: 0 };
  const [, folder, number] = /^\/tree\/(feeds|files\/\d+|demand)\/(\d+)\.(?:xml|txt)$/.exec(path) ?? [];
  if (number === undefined) return undefined;
  return {
    kind: folder === 'feeds' ? 'feed' : folder === 'demand' ? 'on demand' : 'file',
    number: Number(number),
  };
}

function nestedGuid(feed: number): string {
  return `feed-${feed}`;
}

function leafGuid(item: number): string {
  return `item-${item}`;
}

function dateOf(seconds: number): Date {
  return new Date(beginning + seconds * 1000);
}
