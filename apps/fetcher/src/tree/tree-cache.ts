import type { Feed } from '#cse';
import { FeedError } from '#feed-xml';
import type { FeedHead, ScanLimits } from '#feed-xml';
import { ContentError } from '#ports';
import type { Store, TreeDocument } from '#ports';
import { readFeedCopy } from './read-feed-copy.ts';
import type { TreeFetch } from './tree-fetch.ts';

/** What the cache holds of a mirrored tree, as far as a walk needs it. */
export class TreeCache {
  /** By URL. */
  readonly documents = new Map<string, TreeDocument>();
  /** The feeds that the cache has a copy of, as they are printed, by URL. */
  readonly feeds = new Map<string, Feed>();
  /** Of the root feed, where it is known. */
  head: FeedHead | undefined;
  readonly #store: Pick<Store, 'documents' | 'contents'>;
  readonly #collection: string;
  readonly #root: string;
  readonly #limits: ScanLimits | undefined;

  /** @param limits of a feed; the defaults of `#feed-xml` where absent */
  constructor(store: Pick<Store, 'documents' | 'contents'>, { collection, root }: TreeFetch, limits: ScanLimits | undefined) {
    this.#store = store;
    this.#collection = collection.name;
    this.#root = root;
    this.#limits = limits;
  }

  /**
   * Reads what is recorded, and the copies of feeds. A copy that is missing, damaged or beyond a limit counts as none, and is forgotten.
   * @param stayAlive called now and then
   */
  async load(stayAlive: () => Promise<void>): Promise<void> {
    for await (const document of this.#store.documents.all(this.#collection)) {
      this.documents.set(document.url, document);
      await stayAlive();
    }
    for (const document of this.documents.values()) {
      if (document.copy?.isFeed === true && !(await this.readFeed(document))) await this.forget(document);
      await stayAlive();
    }
  }

  /** Reads the copy of a feed; answers whether it could be read. */
  async readFeed({ url, copy }: TreeDocument): Promise<boolean> {
    if (copy === undefined) return false;
    try {
      const { feed, head } = await readFeedCopy(this.#store.contents, this.#collection, copy, this.#limits);
      this.feeds.set(url, feed);
      if (url === this.#root) this.head = head;
      return true;
    } catch (error) {
      if (!(error instanceof ContentError) && !(error instanceof FeedError)) throw error;
      return false;
    }
  }

  /** Takes the copy of a document from the cache. */
  async forget({ copy: _copy, merged: _merged, ...document }: TreeDocument): Promise<void> {
    await this.#store.documents.forget(this.#collection, [document.url]);
    this.documents.set(document.url, document);
    this.feeds.delete(document.url);
  }
}
