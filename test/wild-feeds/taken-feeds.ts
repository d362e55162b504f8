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

interface Taking {
  readonly file: string;
  readonly format: Format;
}

/** How many requests are sent at a time. */
const lanes = 8;

/** The whole service, and a server of documents, each of which collections take in. */
export class TakenFeeds {
  readonly #taken = new Map<string, Promise<TakenFeed>>();

  private constructor(
    private readonly pipeline: PipelineUnderTest,
    private readonly url: string,
  ) {}

  /** Subscribes collections to documents, and waits until all are taken in and published. */
  static async open(documents: readonly WildDocument[]): Promise<TakenFeeds> {
    const pipeline = await PipelineUnderTest.open();
    await pipeline.start('fetcher', 'merger', 'publisher', 'gateway');
    for (const { file, body, contentType } of documents)
      pipeline.feeds.serve(`/${file}`, { headers: { 'content-type': contentType }, body });
    const feeds = new TakenFeeds(pipeline, await pipeline.healthUrl('gateway'));
    const all = documents.flatMap(({ file, formats }) => formats.map((format) => ({ file, format })));
    await inLanes(all, (taking) => feeds.#subscribe(taking));
    await until(
      async () => JSON.parse(await feeds.#get('/v1/subscriptions/counts')) as { states: { new?: number } },
      ({ states }) => (states.new ?? 0) === 0,
    );
    await inLanes(all, async (taking) => {
      const taken = feeds.#read(taking);
      feeds.#taken.set(`${taking.format} ${taking.file}`, taken);
      await taken.catch(() => undefined);
    });
    return feeds;
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

  async #subscribe(taking: Taking): Promise<void> {
    const collection = nameOf(taking);
    const path = `/v1/collections/${collection}`;
    await this.#put(path, { format: taking.format, endpoint: `test:${collection}` });
    await this.#put(`${path}/subscriptions/wild`, {
      url: `${this.origin}/${taking.file}`,
      interval: { minimum: 3600, maximum: 86_400 },
    });
  }

  async #read(taking: Taking): Promise<TakenFeed> {
    const collection = nameOf(taking);
    const path = `/v1/collections/${collection}`;
    await until(
      async () => JSON.parse(await this.#get(`${path}/subscriptions/wild`)) as { isFetching: boolean },
      ({ isFetching }) => !isFetching,
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

function nameOf({ file, format }: Taking): string {
  return `${file.replaceAll('.', '-')}-${format}`;
}

async function inLanes<Value>(
  values: readonly Value[],
  work: (value: Value) => Promise<void>,
): Promise<void> {
  const left = values.values();
  const lane = async (): Promise<void> => {
    for (const value of left) await work(value);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
