import { z } from 'zod';
import { protocols } from '#items';
import type { Protocol } from '#items';
import { endpointIdentifier, resolutionPolicy, sharedElements } from './collection-choices.ts';

/** Any text that XML can carry. */
export const xmlText = z
  .string()
  .regex(/^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u, 'only characters that XML 1.0 allows');

/** One minute to ten years. */
const seconds = z.number().int().min(60).max(315_360_000);

/** The identifier of an endpoint of ours. */
const ownIdentifier = endpointIdentifier.refine(
  (endpoint) => !endpoint.startsWith('resolution:'),
  'identifiers that begin with "resolution:" stand for resolutions by a policy',
);

/** The endpoint identifier that a collection is to sign with from now on. */
export const endpointBody = z.strictObject({
  endpoint: ownIdentifier.optional().describe('One that was never used; a random one by default.'),
});

function list(text: (protocol: [string, Protocol]) => string): string {
  return [...protocols].map(text).join(', ');
}

/**
 * What a collection can be given. Where it exists, what is absent stays as it is; `null` takes a setting
 * away.
 */
export const collectionBody = z.strictObject({
  title: xmlText.min(1).max(500).optional(),
  protocol: z
    .enum([...protocols.keys()])
    .optional()
    .describe(
      list(([name, { title }]) => `\`${name}\`: ${title}`) +
        '; by default the first one that has the format.',
    ),
  format: z
    .enum(['atom', 'rss', 'opml'])
    .optional()
    .describe(
      list(([name, { formats }]) => `with \`${name}\` ${formats.join(' or ')}`) +
        '; the first one by default.',
    ),
  endpoint: ownIdentifier
    .optional()
    .describe(
      'Under what identifier this endpoint edits; `FEEDMESH_ENDPOINT`, or `feedmesh:` and the random ' +
        'identifier of this installation, and the name by default.',
    ),
  settings: z
    .strictObject({
      windowItems: z
        .number()
        .int()
        .min(1)
        .max(1_000_000)
        .optional()
        .describe(
          'Not of CSE: how many items the partial feed holds at most, as far as `expiresAfter` allows; ' +
            '1,000 by default.',
        ),
      expiresAfter: seconds
        .optional()
        .describe(
          'After how many seconds a subscriber may miss an update: what was published within them stays ' +
            'in the partial feed; 86,400 by default.',
        ),
      windowAge: seconds
        .nullable()
        .optional()
        .describe(
          'Not of CSE: after how many seconds an item leaves the partial feed in any case, at least ' +
            '`expiresAfter`; never by default.',
        ),
      tombstoneAge: seconds
        .nullable()
        .optional()
        .describe(
          'After how many seconds a deleted item is removed without a trace (FeedSync 4.2.4), at least ' +
            '`expiresAfter`; never by default.',
        ),
      removeDeletedData: z
        .boolean()
        .optional()
        .describe(
          'Not of CSE: whether a deletion removes the data of the item, unless it says otherwise ' +
            '(FeedSync 3.2); no by default.',
        ),
      listSubscriptions: z
        .boolean()
        .optional()
        .describe(
          'Not of CSE: whether the feeds name the subscribed ones as aggregated (FeedSync 2.3.1, SSE ' +
            '2.2.2); no by default.',
        ),
      cleanUpHistory: z
        .boolean()
        .optional()
        .describe(
          'FeedSync only: whether an edit keeps only the latest history of each endpoint (3.2); no by ' +
            'default.',
        ),
      republishMarkup: z
        .boolean()
        .optional()
        .describe(
          'FeedSync only: whether the feeds repeat the foreign markup at the feed level of subscribed ' +
            'ones (2.1.7); yes by default.',
        ),
      sharedElements: sharedElements
        .nullable()
        .optional()
        .describe('FeedSync only: what of an item is shared data, by format (Implementation Notes, Note 1).'),
      resolution: resolutionPolicy
        .nullable()
        .optional()
        .describe('FeedSync only: how conflicts are resolved without a person (3.4); not at all by default.'),
      ordered: z
        .boolean()
        .optional()
        .describe(
          'SSE only: whether the items of an RSS collection have an order (3.2); no by default. Outlines ' +
            'always have one. Fixed once the collection exists.',
        ),
      updatesKept: z
        .number()
        .int()
        .min(0)
        .max(1_000_000)
        .nullable()
        .optional()
        .describe(
          'SSE only: how many former updates an edit keeps in the history, the latest ones (4.2); all by ' +
            'default.',
        ),
      namespace: z
        .enum(['https', 'http'])
        .nullable()
        .optional()
        .describe(
          'SSE only: which form of its namespace the feeds declare; `https`, as the specification prints ' +
            'it, by default. Both are read.',
        ),
      links: z
        .enum(['rewritten', 'original'])
        .nullable()
        .optional()
        .describe(
          'CSE only: whether the links in our feeds lead to our copies, or stay those of the source; ' +
            '`rewritten` by default. What we have no copy of keeps its own.',
        ),
      refreshOnDemand: z
        .boolean()
        .optional()
        .describe(
          'CSE only: whether what was fetched on demand is kept in step from then on; yes by default.',
        ),
    })
    .optional(),
});
export type CollectionBody = z.infer<typeof collectionBody>;
export type SettingsBody = NonNullable<CollectionBody['settings']>;
