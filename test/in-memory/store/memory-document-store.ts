import { randomUUID } from 'node:crypto';
import type {
  CachedCopy,
  CollectionKey,
  DocumentStore,
  DownloadOutcome,
  FoundDocument,
  TreeDocument,
} from '#core';
import { occurrences } from './occurrences.ts';
import type { Records } from './records.ts';
import { follows } from './records.ts';

/** A document under its URL. */
export interface DocumentRecord {
  readonly collection: CollectionKey;
  /** The URL. */
  readonly id: string;
  readonly document: TreeDocument;
}

/** The documents of mirrored trees in memory. */
export class MemoryDocumentStore implements DocumentStore {
  readonly #records: Records<DocumentRecord>;

  constructor(records: Records<DocumentRecord>) {
    this.#records = records;
  }

  async load(collection: CollectionKey, urls: readonly string[]): Promise<Map<string, TreeDocument>> {
    return new Map(
      urls.flatMap((url) => this.#get(collection, url) ?? []).map((document) => [document.url, document]),
    );
  }

  async list(
    collection: CollectionKey,
    { after, limit }: { after?: string; limit: number },
  ): Promise<TreeDocument[]> {
    return this.#select(collection, ({ url }) => follows(url, after), limit);
  }

  async *all(collection: CollectionKey): AsyncGenerator<TreeDocument> {
    yield* this.#select(collection, () => true);
  }

  async record(
    collection: CollectionKey,
    url: string,
    outcome: DownloadOutcome,
    copy?: CachedCopy,
  ): Promise<void> {
    const stored = this.#get(collection, url);
    const { failure: former, ...rest } = stored ?? {
      ...unknown(collection, url),
      isFeed: copy?.isFeed ?? false,
      lastBuildDate: copy?.lastBuildDate ?? earliestDate,
    };
    const failed = outcome.kind === 'failed' ? { rule: outcome.rule, reason: outcome.reason } : undefined;
    const isUnchanged = outcome.kind === 'unchanged' && copy === undefined;
    const failure = failed ?? (copy !== undefined || isUnchanged ? undefined : former);
    const document = { ...rest, outcome, ...(copy && { copy }), ...(failure && { failure }) };
    if (isUnchanged && stored !== undefined) this.#put(document);
    else this.#set(document);
  }

  async describe(collection: CollectionKey, found: readonly FoundDocument[]): Promise<void> {
    for (const { url, isFeed, onDemand, lastBuildDate, failure } of found) {
      const {
        failure: _former,
        dropped: _ended,
        ...rest
      } = this.#get(collection, url) ?? unknown(collection, url);
      this.#set({ ...rest, isFeed, onDemand, lastBuildDate, ...(failure && { failure }) });
    }
  }

  async request(collection: CollectionKey, url: string, isFeed: boolean): Promise<void> {
    const document = this.#get(collection, url) ?? { ...unknown(collection, url), isFeed, onDemand: true };
    this.#set({ ...document, isRequested: true });
  }

  async requested(collection: CollectionKey): Promise<string[]> {
    return this.#select(collection, ({ isRequested }) => isRequested).map(({ url }) => url);
  }

  async endRequests(collection: CollectionKey, urls: readonly string[]): Promise<void> {
    this.#change(collection, urls, (document) => ({ ...document, isRequested: false }));
  }

  async forget(collection: CollectionKey, urls: readonly string[]): Promise<void> {
    this.#change(collection, urls, ({ copy, merged: _merged, ...rest }) => ({
      ...rest,
      isRequested: rest.isRequested || (rest.onDemand && copy !== undefined),
    }));
  }

  async forgetDigests(collection: CollectionKey, digests: readonly string[]): Promise<string[]> {
    const urls = this.#withDigest(collection, digests).map(({ url }) => url);
    await this.forget(collection, urls);
    return urls;
  }

  async markMerged(collection: CollectionKey, url: string, merged: string): Promise<void> {
    this.#change(collection, [url], (document) => ({ ...document, merged }));
  }

  async drop(collection: CollectionKey, manifest: string, urls: readonly string[]): Promise<void> {
    this.#change(collection, urls, (document) => ({ ...document, dropped: manifest }));
  }

  async dropped(collection: CollectionKey, manifest: string, limit: number): Promise<TreeDocument[]> {
    return this.#select(collection, ({ dropped }) => dropped === manifest, limit);
  }

  async remove(collection: CollectionKey, urls: readonly string[]): Promise<void> {
    for (const url of urls) this.#records.delete(collection, url);
  }

  async hasChanged(collection: CollectionKey): Promise<boolean> {
    return this.#select(collection, ({ changed }) => changed !== undefined, 1).length > 0;
  }

  async acknowledge(
    collection: CollectionKey,
    documents: readonly Pick<TreeDocument, 'url' | 'changed'>[],
  ): Promise<void> {
    for (const { url, changed: read } of documents) {
      const { changed, ...document } = this.#get(collection, url) ?? {};
      if (changed !== undefined && changed === read) this.#put(document as TreeDocument);
    }
  }

  async referring(collection: CollectionKey, digests: readonly string[]): Promise<Map<string, number>> {
    const wanted = new Set(digests);
    return occurrences(
      this.#withDigest(collection, digests).flatMap(({ copy }) =>
        digestsOf(copy).filter((digest) => wanted.has(digest)),
      ),
    );
  }

  #withDigest(collection: CollectionKey, digests: readonly string[]): TreeDocument[] {
    const wanted = new Set(digests);
    return this.#select(collection, ({ copy }) => digestsOf(copy).some((digest) => wanted.has(digest)));
  }

  #select(
    collection: CollectionKey,
    where: (document: TreeDocument) => boolean,
    limit?: number,
  ): TreeDocument[] {
    const found = this.#records.select({
      where: (record) => record.collection === collection && where(record.document),
      ...(limit !== undefined && { limit }),
    });
    return found.map(({ document }) => document);
  }

  #get(collection: CollectionKey, url: string): TreeDocument | undefined {
    return this.#records.get(collection, url)?.document;
  }

  /** Writes a document that has changed. */
  #set(document: TreeDocument): void {
    this.#put({ ...document, changed: randomUUID() });
  }

  #put(document: TreeDocument): void {
    this.#records.set({ collection: document.collection, id: document.url, document });
  }

  /** Changes the documents that there are. */
  #change(
    collection: CollectionKey,
    urls: readonly string[],
    change: (document: TreeDocument) => TreeDocument,
  ): void {
    for (const url of urls) {
      const document = this.#get(collection, url);
      if (document) this.#set(change(document));
    }
  }
}

function digestsOf({ digest, parsed }: Partial<CachedCopy> = {}): string[] {
  return [digest, parsed].filter((one) => one !== undefined);
}

/** What a document is in step with of which no item has said a date. */
const earliestDate = '1601-01-01T00:00:00Z';

/** A document of which nothing is known yet. */
function unknown(collection: CollectionKey, url: string): TreeDocument {
  return { collection, url, isFeed: false, onDemand: false, isRequested: false, lastBuildDate: earliestDate };
}
