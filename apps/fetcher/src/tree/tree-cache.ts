import { itemSize } from '#cse';
import type { Feed } from '#cse';
import { readParsedFeed } from '#items';
import type { FeedHead, ScanLimits } from '#xml';
import { ContentError, Slices } from '#core';
import type { CachedCopy, CollectionKey, Store, TreeDocument } from '#core';
import type { TreeFetch } from './tree-fetch.ts';

/** A feed has more items and links than its tree may still have. */
class FeedTooLargeError extends Error {
  override readonly name = 'FeedTooLargeError';
}

/** What the cache holds of a mirrored tree, as far as a walk needs it. */
export class TreeCache {
  /** By URL. */
  readonly documents = new Map<string, TreeDocument>();
  /**
   * The feeds of the tree that the cache has a copy of, as they are printed, by URL; those nearer to the root
   * first.
   */
  readonly feeds = new Map<string, Feed>();
  /** Of the root feed, if it is known. */
  head: FeedHead | undefined;
  readonly #store: Pick<Store, 'documents' | 'contents'>;
  readonly #collection: CollectionKey;
  readonly #root: string;
  readonly #limits: ScanLimits | undefined;

  /** @param limits of a feed; the defaults of `#xml` if absent */
  constructor(
    store: Pick<Store, 'documents' | 'contents'>,
    { collection, root }: TreeFetch,
    limits: ScanLimits | undefined,
  ) {
    this.#store = store;
    this.#collection = collection.key;
    this.#root = root;
    this.#limits = limits;
  }

  /**
   * Reads what is recorded of the documents, and no copy.
   * @param heartbeat called now and then
   */
  async loadDocuments(heartbeat: () => Promise<void>): Promise<void> {
    for await (const document of this.#store.documents.all(this.#collection)) {
      this.documents.set(document.url, document);
      await heartbeat();
    }
  }

  /** Whether the copies of all feeds are there, as far as that is known without reading them. */
  async hasFeeds(): Promise<boolean> {
    return this.#has([...this.documents.values()].flatMap(({ copy }) => (copy?.isFeed ? [copy] : [])));
  }

  async #has(copies: readonly CachedCopy[]): Promise<boolean> {
    const digests = new Set(copies.flatMap(({ digest, parsed }) => [digest, parsed ?? '']));
    return (await this.#store.contents.stored(this.#collection, [...digests])).size === digests.size;
  }

  /**
   * Reads what the copies of feeds were parsed to: those of the tree as it was level by level, then others. A
   * copy that is missing, damaged or parsed with other limits counts as none, and is forgotten. One that
   * would be too large for the tree is not read.
   * @param links how large all feeds may be together, as `feedSize` of `#cse` counts them
   * @param heartbeat called now and then
   */
  async loadFeeds(links: number, heartbeat: () => Promise<void>): Promise<void> {
    let linksLeft = links;
    const reached = new Set([this.#root]);
    const read = async (url: string): Promise<void> => {
      const document = this.documents.get(url);
      if (document?.copy?.isFeed !== true) return;
      const reading = await this.readFeed(document, linksLeft);
      await heartbeat();
      if (reading === 'lost') await this.forget(document);
      if (typeof reading === 'string') return;
      linksLeft -= reading.size;
      for (const { links } of reading.feed.items)
        for (const link of links) if (link.nestedFeed) reached.add(link.url);
    };
    for (const url of reached) await read(url);
    // What is below a copy that was lost.
    const slices = new Slices();
    for (const [url, { copy }] of this.documents) {
      if (copy?.isFeed === true && !reached.has(url)) await read(url);
      await slices.rest();
    }
  }

  /**
   * Reads what the copy of a feed was parsed to.
   * @param linksLeft how large it may be
   */
  async readFeed(
    { url, copy }: TreeDocument,
    linksLeft: number,
  ): Promise<{ readonly feed: Feed; readonly size: number } | 'lost' | 'too-large'> {
    if (copy === undefined || !(await this.#has([copy]))) return 'lost';
    let size = 0;
    try {
      const { feed, head } = await readParsedFeed(
        this.#store.contents,
        this.#collection,
        copy,
        (items) => {
          for (const { item } of items) size += itemSize(item);
          if (size > linksLeft) throw new FeedTooLargeError();
        },
        { limits: this.#limits },
      );
      this.feeds.set(url, feed);
      if (url === this.#root) this.head = head;
      return { feed, size };
    } catch (error) {
      if (error instanceof FeedTooLargeError) return 'too-large';
      if (!(error instanceof ContentError)) throw error;
      return 'lost';
    }
  }

  /** Takes the copy of a document from the cache; one on demand is requested again. */
  async forget({ copy: _copy, merged: _merged, ...document }: TreeDocument): Promise<void> {
    await this.#store.documents.forget(this.#collection, [document.url]);
    this.documents.set(document.url, { ...document, isRequested: document.isRequested || document.onDemand });
    this.feeds.delete(document.url);
  }

  /** Has the document, and what it says as a feed, as they were before. */
  restore(document: TreeDocument, feed: Feed | undefined): void {
    this.documents.set(document.url, document);
    if (feed === undefined) this.feeds.delete(document.url);
    else this.feeds.set(document.url, feed);
  }
}
