import { collectionKey } from '#core';
import type { ChangeEvent } from '#contracts';
import { PipelineUnderTest } from '../medium/pipeline/pipeline-under-test.ts';
import { until } from '../support/until.ts';
import type { SeenItem } from './item-differences.ts';
import type { Format, WildDocument } from './wild-document.ts';

/** A collection that has taken in a document. */
export interface TakenFeed {
  readonly items: readonly SeenItem[];
  readonly events: readonly ChangeEvent[];
  /** The feeds for readers, as they are sent. */
  readonly reader: Readonly<Record<Format, string>>;
}

/** How many documents are taken in at a time. */
const lanes = 16;

/** The whole service, and a server of documents, each of which collections take in. */
export class TakenFeeds {
  readonly #taken = new Map<string, Promise<TakenFeed>>();

  private constructor(
    private readonly pipeline: PipelineUnderTest,
    private readonly url: string,
  ) {}

  static async open(documents: readonly WildDocument[]): Promise<TakenFeeds> {
    const pipeline = await PipelineUnderTest.open();
    await pipeline.start('fetcher', 'merger', 'publisher', 'gateway');
    for (const { file, body, contentType } of documents)
      pipeline.feeds.serve(`/${file}`, { headers: { 'content-type': contentType }, body });
    const feeds = new TakenFeeds(pipeline, await pipeline.healthUrl('gateway'));
    await feeds.#takeAll(documents);
    return feeds;
  }

  async #takeAll(documents: readonly WildDocument[]): Promise<void> {
    const left = documents
      .flatMap(({ file, formats }) => formats.map((format) => ({ file, format })))
      .values();
    const lane = async (): Promise<void> => {
      for (const { file, format } of left) {
        const taken = this.#take(file, format);
        this.#taken.set(`${format} ${file}`, taken);
        await taken.catch(() => undefined);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  }

  /** What became of a document. */
  async taken(file: string, format: Format): Promise<TakenFeed> {
    const taken = await this.#taken.get(`${format} ${file}`);
    if (taken === undefined) throw new Error(`nobody has subscribed to ${file}`);
    return taken;
  }

  /** Where the documents are. */
  get origin(): string {
    return this.pipeline.feeds.url('');
  }

  /** Subscribes to a document, and waits until it is published. */
  async #take(file: string, format: Format): Promise<TakenFeed> {
    const collection = `${file.replaceAll('.', '-')}-${format}`;
    const path = `/v1/collections/${collection}`;
    await this.#put(path, { format, endpoint: `test:${collection}` });
    const subscription = `${path}/subscriptions/wild`;
    await this.#put(subscription, {
      url: `${this.origin}/${file}`,
      interval: { minimum: 3600, maximum: 86_400 },
    });
    await until(
      async () => JSON.parse(await this.#get(subscription)) as { last?: object; isFetching: boolean },
      ({ last, isFetching }) => last !== undefined && !isFetching,
    );
    const { items } = JSON.parse(await this.#get(`${path}/items`)) as { items: SeenItem[] };
    return {
      items,
      events: items.length === 0 ? [] : await this.pipeline.published(collectionKey(collection)),
      reader: {
        atom: await this.#get(`/feeds/${collection}/reader.atom`),
        rss: await this.#get(`/feeds/${collection}/reader.rss`),
      },
    };
  }

  close(): Promise<void> {
    return this.pipeline.close();
  }

  async #put(path: string, body: object): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(this.url + path, { method: 'PUT', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`PUT ${path} returned ${response.status}: ${await response.text()}`);
  }

  async #get(path: string): Promise<string> {
    const response = await fetch(this.url + path, { headers: { accept: 'application/json, */*' } });
    if (!response.ok) throw new Error(`GET ${path} returned ${response.status}: ${await response.text()}`);
    return response.text();
  }
}
