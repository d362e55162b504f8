import { z } from 'zod';
import { contracts } from '../registry.ts';
import type { Described } from '../registry.ts';
import { collectionName, subscriptionName } from '../name.ts';
import { page } from './page.ts';
import { progress } from './progress.ts';
import { subscriptionStateText } from './subscription-counts.ts';
import { time } from './time.ts';
import { violation } from './violation.ts';

/** What a fetch came to. */
export const fetchReport = z.object({
  at: time,
  outcome: z.enum(['fetched', 'not-modified', 'failed', 'gone']),
  reason: z.string().optional().describe('One sentence, such as why the fetch failed.'),
  rule: z.string().optional().describe('The rule that was broken.'),
  cause: z
    .string()
    .optional()
    .describe(
      'Of a fetch that failed, in one word: `dns`, `refused`, `tls`, `connection`, `timeout`, `slow`, ' +
        '`redirects`, `address`, `credentials`, `too-large`, `invalid-feed`, `no-feed`, `duplicate`, ' +
        '`robots`, `tenant-limit`, `interrupted`, or `http-` with the status.',
    ),
  items: z
    .number()
    .int()
    .optional()
    .describe('How many different items its documents had, also if an item was in several of them.'),
  rejected: z.number().int().optional(),
  plain: z.number().int().optional().describe('Left out because they have no synchronisation data.'),
  progress: progress.optional().describe('Of a tree: how far it came.'),
  violations: z
    .array(violation)
    .optional()
    .describe('Where the feed departs from the rules and was taken in all the same, the first ones.'),
});
export type FetchReportView = Described<typeof fetchReport>;

const example = {
  collection: 'todo',
  id: 'peer',
  url: 'https://peer.example/todo.atom',
  status: 'active' as const,
  state: 'ok' as const,
  interval: { minimum: 60, maximum: 86_400 },
  nextFetchAt: '2026-01-01T10:05:00.000Z',
  nextFetchReason: 'the feed says that it is fresh for 300 seconds',
  isFetching: false,
  failures: 0,
  last: { at: '2026-01-01T10:00:00.000Z', outcome: 'fetched' as const, items: 12, rejected: 0 },
  succeededAt: '2026-01-01T10:00:00.000Z',
  cursor: { etag: '"7"', until: '0000000000000042' },
  feed: { title: 'To do', aggregated: [] },
  createdAt: '2026-01-01T09:00:00.000Z',
};

/** A subscription as it is shown. */
export const subscription = z
  .object({
    collection: collectionName,
    id: subscriptionName,
    url: z.string(),
    status: z.enum(['active', 'paused', 'gone']),
    state: subscriptionStateText,
    interval: z
      .object({ minimum: z.number().int(), maximum: z.number().int() })
      .describe('Seconds between two fetches, at the least and at the most.'),
    nextFetchAt: time,
    nextFetchReason: z.string().describe('Why the next fetch is when it is, for people.'),
    isFetching: z.boolean(),
    adopt: z
      .union([z.boolean(), z.literal('auto')])
      .optional()
      .describe('Whether items without synchronisation data are adopted; absent where they never are.'),
    adoptedAs: z
      .string()
      .optional()
      .describe('The endpoint identifier that stands for the feed in the histories of adopted items.'),
    discover: z
      .literal(true)
      .optional()
      .describe('That the URL may be that of a page, on which its feed is looked for with the next fetch.'),
    discoveredOn: z.string().optional().describe('The page that the feed was found on.'),
    failures: z.number().int().describe('In a row.'),
    last: fetchReport.optional(),
    succeededAt: time.optional().describe('When a fetch of the feed succeeded last.'),
    cursor: z
      .object({
        etag: z.string().optional(),
        lastModified: z.string().optional(),
        digest: z.string().optional().describe('SHA-256 of the last body, base64url.'),
        until: z.string().optional(),
      })
      .describe('How far the feed has been read.'),
    feed: z
      .object({
        title: z.string().optional(),
        aggregated: z
          .array(z.object({ link: z.string(), title: z.string().optional() }))
          .describe('The feeds whose contents the publisher has incorporated.'),
      })
      .optional()
      .describe('What the feed says of itself; absent until it has been read.'),
    signedElsewhere: z
      .number()
      .int()
      .optional()
      .describe('How many of its items were refused because someone else signs as this endpoint does.'),
    progress: progress
      .optional()
      .describe('Of a tree: how far the walk in progress is, or how far the last one came.'),
    userAgent: z.string().optional().describe('What requests send as `User-Agent`, if it is set.'),
    acceptLanguage: z.string().optional().describe('What requests send as `Accept-Language`, if it is set.'),
    credentials: z
      .object({ kind: z.enum(['basic', 'bearer', 'headers']) })
      .optional()
      .describe('That requests to the origin of the URL carry credentials, and of which kind.'),
    hub: z
      .object({
        url: z.string(),
        topic: z.string().describe('What the hub calls the feed.'),
        leasedUntil: time.optional().describe('Until when it announces changes; absent if it does not.'),
        announcedAt: time.optional().describe('When it last announced one.'),
        reason: z.string().optional().describe('Why it announces none.'),
      })
      .optional()
      .describe('The hub that the feed names (WebSub).'),
    createdAt: time,
  })
  .register(contracts, { id: 'Subscription', version: 1, example });
export type SubscriptionView = Described<typeof subscription>;

export const subscriptionPage = page('SubscriptionPage', subscription, example);

/** What became of the feeds of a subscription list. */
export const subscribedList = z
  .object({
    created: z.number().int(),
    existing: z.number().int().describe('Those that were subscribed to before, and are left as they are.'),
    refused: z.array(z.object({ xmlUrl: z.string(), text: z.string().optional(), message: z.string() })),
  })
  .register(contracts, {
    id: 'SubscribedList',
    version: 1,
    example: { created: 12, existing: 3, refused: [] },
  });
export type SubscribedListView = Described<typeof subscribedList>;

/** What comes of a POST to the subscriptions: one, or those of a list. */
export const subscribed = z
  .union([subscription, subscribedList])
  .register(contracts, { id: 'Subscribed', version: 1, example });
export type SubscribedView = Described<typeof subscribed>;
