import fc from 'fast-check';
import type { Feed, Item, Link } from '#cse';
import type { Document } from './literal-sync.ts';

export const root = 'feed-0';
const feedUrls = [root, 'feed-1', 'feed-2', 'feed-3', 'feed-4', 'feed-5'];
const fileUrls = ['file-0', 'file-1', 'file-2', 'file-3', 'file-4', 'file-5', 'file-6', 'file-7'];

/** One edit of a tree. Numbers choose among what there is. */
export type Edit =
  | { readonly kind: 'create'; readonly feed: string; readonly links: readonly Link[] }
  | { readonly kind: 'change'; readonly file: string }
  | { readonly kind: 'relink'; readonly feed: string; readonly item: number; readonly links: readonly Link[] }
  | { readonly kind: 'delete'; readonly feed: string; readonly item: number };

const anyFeedUrl = fc.constantFrom(...feedUrls);
const anyFileUrl = fc.constantFrom(...fileUrls);
const onDemand = fc.integer({ min: 0, max: 4 }).map((dice) => dice === 0);
const anyLinks = fc.oneof(
  fc.record({ url: anyFeedUrl, nestedFeed: fc.constant(true), onDemand }).map((link) => [link]),
  fc.uniqueArray(fc.record({ url: anyFileUrl, nestedFeed: fc.constant(false), onDemand }), {
    maxLength: 3,
    selector: ({ url }) => url,
  }),
);

export const anyEdits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('create' as const), feed: anyFeedUrl, links: anyLinks }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('change' as const), file: anyFileUrl }) },
    fc.record({ kind: fc.constant('relink' as const), feed: anyFeedUrl, item: fc.nat(5), links: anyLinks }),
    fc.record({ kind: fc.constant('delete' as const), feed: anyFeedUrl, item: fc.nat(5) }),
  ),
  { maxLength: 12 },
);

/**
 * A publisher that does what the specification asks of one (CSE, Behaviors): every edit has its own second,
 * and goes up to all parents.
 */
export class Publisher {
  readonly #feeds = new Map<string, Feed>(
    feedUrls.map((url) => [url, { lastBuildDate: dateOf(0), items: [] }]),
  );
  readonly #files = new Map<string, number>(fileUrls.map((url) => [url, 0]));
  #second = 0;

  /** What is served now. */
  get site(): ReadonlyMap<string, Document> {
    return new Map<string, Document>([...this.#feeds, ...this.#files]);
  }

  edit(edits: readonly Edit[]): void {
    for (const edit of edits) this.#edit(edit);
  }

  #edit(edit: Edit): void {
    this.#second += 1;
    if (edit.kind === 'change') {
      this.#files.set(edit.file, this.#second);
      for (const [url, { items }] of this.#feeds)
        this.#put(
          url,
          items.map((item) => (item.links.some((link) => link.url === edit.file) ? this.#dated(item) : item)),
        );
      return;
    }
    const { items } = this.#feedAt(edit.feed);
    if (edit.kind === 'create') {
      const item = this.#dated({
        id: `item-${this.#second}`,
        lastBuildDate: '',
        hidden: false,
        links: edit.links,
      });
      this.#put(edit.feed, [...items, item]);
    } else if (edit.item < items.length) {
      this.#put(
        edit.feed,
        edit.kind === 'delete'
          ? items.toSpliced(edit.item, 1)
          : items.map((item, index) =>
              index === edit.item ? this.#dated({ ...item, links: edit.links }) : item,
            ),
      );
    }
  }

  /** Publishes a feed if its items are other ones, and propagates the date. */
  #put(url: string, items: readonly Item[]): void {
    const before = this.#feedAt(url).items;
    if (items.length === before.length && items.every((item, index) => item === before[index])) return;
    this.#feeds.set(url, { lastBuildDate: dateOf(this.#second), items });
    this.#propagate(url);
  }

  #propagate(changed: string): void {
    for (const [url, { items }] of this.#feeds) {
      const isParent = (item: Item): boolean =>
        item.lastBuildDate !== dateOf(this.#second) && item.links.some((link) => link.url === changed);
      if (!items.some(isParent)) continue;
      this.#feeds.set(url, {
        lastBuildDate: dateOf(this.#second),
        items: items.map((item) => (isParent(item) ? this.#dated(item) : item)),
      });
      this.#propagate(url);
    }
  }

  #dated(item: Item): Item {
    return { ...item, lastBuildDate: dateOf(this.#second) };
  }

  #feedAt(url: string): Feed {
    return this.#feeds.get(url) ?? { lastBuildDate: dateOf(0), items: [] };
  }
}

function dateOf(second: number): string {
  return new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString().replace('.000Z', 'Z');
}
