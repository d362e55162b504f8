import type { CachedDocument } from './cached-document.ts';
import type { Feed, Item } from './feed.ts';

/**
 * A feed as a walk is to see it if somebody has requested links on demand: these do not wait to be asked
 * for any more. What stays the same is not copied.
 */
export function asRequested(feed: Feed, isAsked: (url: string) => boolean): Feed {
  const isChanged = ({ links }: Item): boolean => links.some(({ onDemand, url }) => onDemand && isAsked(url));
  if (!feed.items.some(isChanged)) return feed;
  return { ...feed, items: feed.items.map((item) => (isChanged(item) ? withLinks(item, isAsked) : item)) };
}

function withLinks(item: Item, isAsked: (url: string) => boolean): Item {
  return {
    ...item,
    links: item.links.map((link) =>
      link.onDemand && isAsked(link.url) ? { ...link, onDemand: false } : link,
    ),
  };
}

/** What a cache holds, each feed as `asRequested` shows it. */
export class CachedAsRequested {
  readonly #cached: ReadonlyMap<string, CachedDocument>;
  readonly #isAsked: (url: string) => boolean;
  /** The feeds that were needed so far. */
  readonly #shown = new Map<string, Feed>();

  /** @param cached by URL; stays as it is */
  constructor(cached: ReadonlyMap<string, CachedDocument>, isAsked: (url: string) => boolean) {
    this.#cached = cached;
    this.#isAsked = isAsked;
  }

  get urls(): Iterable<string> {
    return this.#cached.keys();
  }

  get(url: string): CachedDocument | undefined {
    const document = this.#cached.get(url);
    if (document?.feed === undefined) return document;
    const feed = this.#shown.get(url) ?? asRequested(document.feed, this.#isAsked);
    this.#shown.set(url, feed);
    return { ...document, feed };
  }
}
