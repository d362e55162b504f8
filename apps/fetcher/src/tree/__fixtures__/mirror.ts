import { createHash } from 'node:crypto';
import type { ScanLimits } from '#xml';
import {
  createMemoryHttp,
  createMemoryQueue,
  createMemoryStore,
  sampleCollection,
  sampleSubscription,
} from '#in-memory';
import type { JobHandlers, MemoryQueueOptions } from '#in-memory';
import type { DownloadJob, Job, MirrorJob } from '#contracts';
import { collectionKey, subscriptionId } from '#core';
import type { CollectionSettings, Manifest, Store, Subscription, TreeDocument } from '#core';
import { fetchSubscription } from '../../fetch-subscription.ts';
import type { FetchPorts } from '../../fetch-ports.ts';
import type { FetchSettings } from '../../fetch-settings.ts';
import { downloadDocuments } from '../download-documents.ts';
import type { TreeSettings } from '../tree-settings.ts';

const paper = collectionKey('paper');
const source = subscriptionId('source');

export const rootUrl = 'http://source.example/root.xml';
export const at = (path: string): string => new URL(path, rootUrl).href;

export interface MirrorOptions {
  readonly tree?: Partial<TreeSettings>;
  readonly scan?: ScanLimits;
  readonly settings?: Partial<CollectionSettings>;
  /** Whether the queue takes a job that is sent (true), loses it (false), or throws. */
  readonly takes?: (job: Job) => boolean;
  /** What the mergers do with a job; only what they record of it if absent. */
  readonly mirror?: (ports: FetchPorts, job: MirrorJob) => Promise<void>;
  /** How deliveries go wrong. */
  readonly deliveries?: MemoryQueueOptions;
}

/**
 * A fetcher with a collection that mirrors the tree at `rootUrl`, in one thread: what it sends is worked on
 * while it waits.
 */
export function createMirror({
  tree = {},
  scan,
  settings = {},
  takes = () => true,
  mirror,
  deliveries,
}: MirrorOptions = {}) {
  let time = Date.parse('2026-03-01T00:00:00Z');
  let manifests = 0;
  const http = createMemoryHttp();
  const queue = createMemoryQueue(deliveries);
  const asked: string[] = [];
  const jobs: DownloadJob[] = [];
  const mirrored: MirrorJob[] = [];
  /** Called at every pause of the fetcher, before the jobs that wait are worked on. */
  let pause: () => Promise<void> = async () => {};
  const now = (): Date => new Date(time);
  const store: Store = createMemoryStore({ clock: { now } });
  const ports: FetchPorts = {
    store,
    http,
    clock: {
      now,
      async wait(milliseconds) {
        time += milliseconds;
        await pause();
        await work();
      },
    },
    queue: { send: async (sent) => queue.send(sent.filter(takes)), backlog: (name) => queue.backlog(name) },
    random: { fraction: () => 0, identifier: () => `m${(manifests += 1)}` },
  };
  const fetchSettings: FetchSettings = {
    batch: { items: 100, characters: 100_000, backlog: 100 },
    lease: 90_000,
    markupLength: 1000,
    scan,
    tree: {
      limits: { depth: 5, documents: 1000, links: 10_000, bytes: 1_000_000 },
      batch: 2,
      parallel: 4,
      parallelPerHost: 2,
      poll: 100,
      resend: 10_000,
      progress: 1000,
      ...tree,
    },
  };
  const handlers: JobHandlers = {
    async download(job) {
      jobs.push(job);
      await downloadDocuments(ports, scan, job);
    },
    // What the mergers and the publisher do with the rest.
    async mirror(job) {
      mirrored.push(job);
      if (mirror !== undefined) return mirror(ports, job);
      await store.documents.markMerged(job.collection, job.url, job.merged);
      await store.manifests.done(job.collection, job.manifest, job.batch, { rejected: 0 }, now());
    },
    async finalize() {},
    async publish() {},
  };
  async function work(): Promise<void> {
    while (await queue.deliver(handlers));
  }
  return {
    store,
    http,
    queue,
    ports,
    asked,
    jobs,
    mirrored,
    now,
    settings: fetchSettings,
    /** From now on, work is as it says while the fetcher waits. */
    onPause: (work: () => Promise<void>): void => {
      pause = work;
    },
    pass: (milliseconds: number): void => {
      time += milliseconds;
    },
    subscribe: async (url = rootUrl): Promise<void> => {
      await store.collections.create(
        sampleCollection({
          key: paper,
          protocol: 'cse',
          format: 'rss',
          title: 'Paper',
          createdAt: now(),
          settings: { windowItems: 10, expiresAfter: 3600, ...settings },
        }),
      );
      await store.subscriptions.put(
        sampleSubscription({
          collection: paper,
          id: source,
          url,
          createdAt: now(),
        }),
      );
    },
    /**
     * Serves documents, each with an ETag of its own; undefined is missing. What is requested is in
     * `asked`, with `?` where it was a conditional GET that found nothing new.
     */
    serve: (documents: Readonly<Record<string, string | undefined>>, type = 'application/rss+xml'): void => {
      for (const [path, body] of Object.entries(documents)) {
        const etag = `"${createHash('sha256')
          .update(body ?? '')
          .digest('hex')}"`;
        http.serve(at(path), (request) => {
          asked.push(`${path}${body !== undefined && request.etag === etag ? '?' : ''}`);
          return body === undefined
            ? { status: 404 }
            : { status: 200, headers: { etag, 'content-type': type }, body };
        });
      }
    },
    /**
     * Fetches once, works on all that was sent, and ends the fetch as a merger does; returns what was asked
     * for, in order, and the manifest.
     */
    fetch: async (): Promise<{
      asked: readonly string[];
      mirrored: readonly string[];
      manifest: Manifest | undefined;
    }> => {
      asked.length = 0;
      mirrored.length = 0;
      await store.subscriptions.refresh(
        paper,
        source,
        { nextFetchAt: now(), nextFetchReason: 'a test asks' },
        false,
      );
      await fetchSubscription(ports, fetchSettings, {
        version: 1,
        collection: paper,
        subscription: source,
      });
      await work();
      const manifest = await store.manifests.find(paper, `m${manifests}`);
      if (manifest?.seal !== undefined) {
        const { cursor, stated, rhythm, nextFetchAt, nextFetchReason, progress } = manifest.seal;
        await store.subscriptions.complete(paper, source, manifest.id, {
          report: { at: now(), outcome: 'fetched', ...(progress && { progress }) },
          cursor,
          ...(stated && { stated }),
          ...(rhythm && { rhythm }),
          nextFetchAt,
          nextFetchReason,
        });
        const gone = await store.documents.dropped(paper, manifest.id, 1000);
        await store.documents.remove(
          paper,
          gone.map(({ url }) => url),
        );
        await store.manifests.remove(paper, manifest.id);
      }
      return {
        asked: [...asked],
        mirrored: mirrored.map(({ url }) => new URL(url).pathname.slice(1)),
        manifest,
      };
    },
    document: async (path: string): Promise<TreeDocument | undefined> =>
      (await store.documents.load(paper, [at(path)])).get(at(path)),
    subscription: (): Promise<Subscription | undefined> => store.subscriptions.find(paper, source),
  };
}
