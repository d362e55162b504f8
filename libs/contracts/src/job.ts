import { z } from 'zod';
import { collectionKeyText, subscriptionIdText } from './key.ts';
import type { CollectionKey, SubscriptionId } from './key.ts';
import { contracts } from './registry.ts';

/** How many subscriptions one job to fetch names at most. */
export const fetchedTogether = 16;

/** Version 1: fetch a subscription's feed now. */
export const fetchJob = z
  .object({
    version: z.literal(1),
    collection: collectionKeyText,
    subscription: subscriptionIdText,
    /** Further subscriptions of the collection whose feeds are fetched as well. */
    others: z
      .array(subscriptionIdText)
      .max(fetchedTogether - 1)
      .optional(),
  })
  .register(contracts, {
    id: 'FetchJob',
    version: 1,
    example: { version: 1, collection: 'todo', subscription: 'peer' },
  });
export type FetchJob = z.infer<typeof fetchJob>;

/** Version 1: merge one batch of items of a manifest. */
export const mergeJob = z
  .object({
    version: z.literal(1),
    collection: collectionKeyText,
    subscription: subscriptionIdText,
    manifest: z.string().min(1),
    /** The number of the batch within its manifest, from 0. */
    batch: z.number().int().nonnegative(),
    /** Which document of the fetch the items stand in; the feed itself if absent. */
    document: z.enum(['feed', 'complete']).optional(),
    /** The address of that document, for its relative references. */
    base: z.string().optional(),
    /** That the document is older than the one that the subscription read last. */
    isStale: z.literal(true).optional(),
    fragments: z.array(
      z.object({
        xml: z.string(),
        line: z.number().int().positive(),
        column: z.number().int().positive(),
        id: z.string().optional(),
        /** SHA-256 of the fragment's bytes, base64url; of an adopted item, of what it says. */
        digest: z.string(),
        /**
         * Where it stands among the items of its document: the id of the one it is in, that of the one it
         * comes after and that of the one it comes before.
         */
        place: z
          .object({ parent: z.string().optional(), after: z.string(), before: z.string().optional() })
          .optional(),
        /** That the fetcher gave it its synchronisation data: an item of a plain feed. */
        adopted: z.literal(true).optional(),
      }),
    ),
  })
  .register(contracts, {
    id: 'MergeJob',
    version: 1,
    example: {
      version: 1,
      collection: 'todo',
      subscription: 'peer',
      manifest: 'm1',
      batch: 0,
      fragments: [{ xml: '<entry/>', line: 12, column: 3, digest: 'q83v' }],
    },
  });
export type MergeJob = z.infer<typeof mergeJob>;

/** Version 1: a manifest may be whole; move the cursor if it is. */
export const finalizeJob = z
  .object({
    version: z.literal(1),
    collection: collectionKeyText,
    manifest: z.string().min(1),
  })
  .register(contracts, {
    id: 'FinalizeJob',
    version: 1,
    example: { version: 1, collection: 'todo', manifest: 'm1' },
  });
export type FinalizeJob = z.infer<typeof finalizeJob>;

/**
 * Version 1: something was published in a collection, whose events are to be sent; or, unless `follow`, it
 * has pending items, notices or feeds, which are to be published.
 */
export const publishJob = z
  .object({ version: z.literal(1), collection: collectionKeyText, follow: z.literal(true).optional() })
  .register(contracts, { id: 'PublishJob', version: 1, example: { version: 1, collection: 'todo' } });
export type PublishJob = z.infer<typeof publishJob>;

/**
 * Version 1: download these documents of a tree, all of one host; those that this fetch has downloaded
 * already are skipped.
 */
export const downloadJob = z
  .object({
    version: z.literal(1),
    collection: collectionKeyText,
    subscription: subscriptionIdText,
    manifest: z.string().min(1),
    documents: z.array(
      z.object({
        url: z.string(),
        /** Whether it is to be read as a feed; otherwise it is kept as it is. */
        isFeed: z.boolean(),
        /** The date that the copy is in step with afterwards, RFC 3339. */
        lastBuildDate: z.string(),
      }),
    ),
  })
  .register(contracts, {
    id: 'DownloadJob',
    version: 1,
    example: {
      version: 1,
      collection: 'news',
      subscription: 'source',
      manifest: 'm1',
      documents: [
        { url: 'https://news.example/a.jpg', isFeed: false, lastBuildDate: '2026-01-01T10:00:00Z' },
      ],
    },
  });
export type DownloadJob = z.infer<typeof downloadJob>;

/** Version 1: bring the items of one feed of a tree in step with its copy in the cache. */
export const mirrorJob = z
  .object({
    version: z.literal(1),
    collection: collectionKeyText,
    subscription: subscriptionIdText,
    manifest: z.string().min(1),
    /** The number of the batch within its manifest, from 0. */
    batch: z.number().int().nonnegative(),
    /** The feed, by the URL that the tree links to. */
    url: z.string(),
    /** What its items are in step with afterwards: to be recorded on the document. */
    merged: z.string(),
  })
  .register(contracts, {
    id: 'MirrorJob',
    version: 1,
    example: {
      version: 1,
      collection: 'news',
      subscription: 'source',
      manifest: 'm1',
      batch: 0,
      url: 'https://news.example/feed.rss',
      merged: 'q83v',
    },
  });
export type MirrorJob = z.infer<typeof mirrorJob>;

/** Version 1: delete what is left of a branch. */
export const deleteJob = z
  .object({
    version: z.literal(1),
    collection: collectionKeyText,
    deletion: z.string().min(1),
  })
  .register(contracts, {
    id: 'DeleteJob',
    version: 1,
    example: { version: 1, collection: 'reading', deletion: '3f7a0c6b' },
  });
export type DeleteJob = z.infer<typeof deleteJob>;

/** Version 1: fetch a feed, and reply with what a subscription would read. */
export const previewJob = z
  .object({
    version: z.literal(1),
    /** The name that the reply is sent under. */
    reply: z.string().min(1),
    /** When nobody waits for it any more. */
    until: z.iso.datetime(),
    url: z.string(),
    /** How many items are shown. */
    limit: z.number().int().positive(),
    /** Whose fetches it counts as. */
    tenant: z.string().optional(),
  })
  .register(contracts, {
    id: 'PreviewJob',
    version: 1,
    example: {
      version: 1,
      reply: '3f7a0c6b',
      until: '2026-01-01T10:00:30Z',
      url: 'https://paper.example/rss',
      limit: 50,
    },
  });
export type PreviewJob = z.infer<typeof previewJob>;

/**
 * The queues between the services, each with the schema of its jobs. A queue has exactly one kind of job, and
 * one handler.
 */
export const jobSchemas = {
  fetch: fetchJob,
  merge: mergeJob,
  finalize: finalizeJob,
  publish: publishJob,
  download: downloadJob,
  mirror: mirrorJob,
  delete: deleteJob,
  preview: previewJob,
} as const;
export type QueueName = keyof typeof jobSchemas;

/**
 * A job on its way: the queue, the data, and, if given, a key under which an equal waiting job makes this
 * one needless.
 */
export type Job =
  | { readonly queue: 'fetch'; readonly data: FetchJob; readonly deduplicate?: string }
  | { readonly queue: 'merge'; readonly data: MergeJob; readonly deduplicate?: string }
  | { readonly queue: 'finalize'; readonly data: FinalizeJob; readonly deduplicate?: string }
  | { readonly queue: 'publish'; readonly data: PublishJob; readonly deduplicate?: string }
  | { readonly queue: 'download'; readonly data: DownloadJob; readonly deduplicate?: string }
  | { readonly queue: 'mirror'; readonly data: MirrorJob; readonly deduplicate?: string }
  | { readonly queue: 'delete'; readonly data: DeleteJob; readonly deduplicate?: string }
  | { readonly queue: 'preview'; readonly data: PreviewJob; readonly deduplicate?: string };

/**
 * Asks for the first fetches of new subscriptions of a collection, `fetchedTogether` in each job: they share
 * what a job costs. As nobody else asks for them, they are not deduplicated.
 */
export function requestFirstFetches(
  collection: CollectionKey,
  subscriptions: readonly SubscriptionId[],
): Extract<Job, { queue: 'fetch' }>[] {
  const jobs: Extract<Job, { queue: 'fetch' }>[] = [];
  for (let start = 0; start < subscriptions.length; start += fetchedTogether) {
    const [subscription, ...others] = subscriptions.slice(start, start + fetchedTogether);
    if (subscription === undefined) break;
    const data = { version: 1, collection, subscription, ...(others.length > 0 && { others }) } as const;
    jobs.push({ queue: 'fetch', data });
  }
  return jobs;
}

/** Asks for a fetch of a subscription; while one is requested, another request adds nothing. */
export function requestFetch(collection: CollectionKey, subscription: SubscriptionId): Job {
  return {
    queue: 'fetch',
    data: { version: 1, collection, subscription },
    deduplicate: `${collection}/${subscription}`,
  };
}

/** Asks for a manifest to be finalized; while that is requested, another request adds nothing. */
export function requestFinalize(collection: CollectionKey, manifest: string): Job {
  const deduplicate = `${collection}/${manifest}`;
  return { queue: 'finalize', data: { version: 1, collection, manifest }, deduplicate };
}

/** Asks for a deletion to go on; while that is requested, another request adds nothing. */
export function requestDeletion(collection: CollectionKey, deletion: string): Job {
  const deduplicate = `${collection}/${deletion}`;
  return { queue: 'delete', data: { version: 1, collection, deletion }, deduplicate };
}

/** Asks for what is pending to be published; while that waits, another request adds nothing. */
export function requestPublish(collection: CollectionKey): Job {
  return { queue: 'publish', data: { version: 1, collection }, deduplicate: collection };
}

/** Asks for the events of what was published to be sent; while that is requested, another adds nothing. */
export function requestFollow(collection: CollectionKey): Job {
  return {
    queue: 'publish',
    data: { version: 1, collection, follow: true },
    deduplicate: `${collection} follow`,
  };
}
