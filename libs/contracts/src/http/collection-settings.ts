import { z } from 'zod';

/** The format that the items of a collection have. */
export const collectionFormat = z.enum(['atom', 'rss', 'opml']);

/** One minute to ten years. */
const seconds = z.number().int().min(60).max(315_360_000);

/**
 * Elements of an Atom entry that can be shared; `atom:id` and `atom:updated` of what is published are always
 * the publisher's own.
 */
const atomElement = z.union([
  z.enum([
    'title',
    'content',
    'summary',
    'category',
    'rights',
    'author',
    'contributor',
    'published',
    'source',
  ]),
  z
    .string()
    .max(200)
    .regex(/^link:[^\s:/]\S*$/, 'an element of an Atom entry, or "link:" and a relation'),
]);

/**
 * Elements of an RSS item that can be shared; `guid` and `pubDate` of what is published are always the
 * publisher's own.
 */
const rssElement = z.enum([
  'title',
  'description',
  'link',
  'category',
  'enclosure',
  'author',
  'comments',
  'source',
]);

/**
 * What of an item is shared data (Implementation Notes, Note 1): names of elements, Atom links as `link:` and
 * their relation. Foreign markup always is.
 */
const sharedElements = z.strictObject({
  atom: z.array(atomElement).max(100).optional(),
  rss: z.array(rssElement).max(100).optional(),
});

/** A programmatic resolution (FeedSync 3.4). Every endpoint of a mesh must have the same. */
const resolutionPolicy = z.discriminatedUnion('policy', [
  z.strictObject({ policy: z.literal('latest') }),
  z.strictObject({
    policy: z.literal('prefer-endpoint'),
    endpoint: z.string().max(500),
  }),
  z.strictObject({
    policy: z.literal('module'),
    module: z
      .string()
      .max(100)
      .regex(/^[^\s=,]+$/, 'the name of a module that the operator has given to the merger'),
  }),
]);

const settings = {
  windowItems: z
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .describe(
      'Not of CSE: how many items the partial feed holds at most, as far as `expiresAfter` allows; ' +
        '1,000 by default.',
    ),
  expiresAfter: seconds.describe(
    'After how many seconds a subscriber may miss an update: what was published within them stays ' +
      'in the partial feed, up to `windowLimit` items; 86,400 by default.',
  ),
  windowLimit: z
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .describe(
      'Not of CSE: how many items the partial feed holds at the very most, whatever `expiresAfter` ' +
        'says, at least `windowItems`; 10,000 by default, or `windowItems` if that is more. Who comes for ' +
        'what has left reads the complete feed (FeedSync 4.1.2).',
    ),
  windowAge: seconds.describe(
    'Not of CSE: after how many seconds an item leaves the partial feed in any case, at least ' +
      '`expiresAfter`; never by default.',
  ),
  tombstoneAge: seconds.describe(
    'After how many seconds a deleted item is removed without a trace (FeedSync 4.2.4), at least ' +
      '`expiresAfter`; never by default.',
  ),
  includeItem: z
    .boolean()
    .describe(
      'Whether change events have the item as `data.item`, unless it has more than 262,144 bytes of JSON ' +
        '(`data.itemOmitted`) or is deleted; no by default.',
    ),
  removeDeletedData: z
    .boolean()
    .describe(
      'Not of CSE: whether a deletion removes the data of the item, unless it says otherwise ' +
        '(FeedSync 3.2); no by default.',
    ),
  listSubscriptions: z
    .boolean()
    .describe(
      'Not of CSE: whether the feeds name the subscribed ones as aggregated (FeedSync 2.3.1, SSE ' +
        '2.2.2); no by default.',
    ),
  cleanUpHistory: z
    .boolean()
    .describe(
      'FeedSync only: whether an edit keeps only the latest history of each endpoint (3.2); no by ' +
        'default.',
    ),
  historyLimit: z
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .describe(
      'FeedSync only: how many entries the history of an item may have before an edit cleans it up (3.2) ' +
        'although `cleanUpHistory` does not say so; 50 in a new collection, any number if it is taken away.',
    ),
  republishMarkup: z
    .boolean()
    .describe(
      'FeedSync only: whether the feeds repeat the foreign markup at the feed level of subscribed ' +
        'ones (2.1.7); yes by default.',
    ),
  sharedElements: sharedElements.describe(
    'FeedSync only: what of an item is shared data, by format (Implementation Notes, Note 1).',
  ),
  resolution: resolutionPolicy.describe(
    'FeedSync only: how conflicts are resolved without a person (3.4); not at all by default.',
  ),
  ordered: z
    .boolean()
    .describe(
      'SSE only: whether the items of an RSS collection have an order (3.2); no by default. Outlines ' +
        'always have one. Fixed once the collection exists.',
    ),
  updatesKept: z
    .number()
    .int()
    .min(0)
    .max(1_000_000)
    .describe(
      'SSE only: how many former updates an edit keeps in the history, the latest ones (4.2); all by ' +
        'default.',
    ),
  namespace: z
    .enum(['https', 'http'])
    .describe(
      'SSE only: which form of its namespace the feeds declare; `https`, as the specification prints ' +
        'it, by default. Both are read.',
    ),
  links: z
    .enum(['rewritten', 'original'])
    .describe(
      'CSE only: whether the links in our feeds lead to our copies, or stay those of the source; ' +
        '`rewritten` by default. What we have no copy of keeps its own.',
    ),
  refreshOnDemand: z
    .boolean()
    .describe('CSE only: whether what was fetched on demand is kept in step from then on; yes by default.'),
};

const names = z.array(z.string()).optional();

/** Who may read the feeds and files of a collection: everyone, or whoever may read the collection. */
export const visibility = z.enum(['public', 'private']);

/** The settings of a collection as they are shown: those that its protocol has. */
export const collectionSettings = z
  .object({ ...settings, sharedElements: z.object({ atom: names, rss: names }) })
  .partial();

/** The settings that a collection is to have: what is absent stays as it is; `null` takes one away. */
export const settingsBody = z
  .strictObject({
    ...settings,
    windowLimit: settings.windowLimit.nullable(),
    historyLimit: settings.historyLimit.nullable(),
    windowAge: settings.windowAge.nullable(),
    tombstoneAge: settings.tombstoneAge.nullable(),
    sharedElements: settings.sharedElements.nullable(),
    resolution: settings.resolution.nullable(),
    updatesKept: settings.updatesKept.nullable(),
    namespace: settings.namespace.nullable(),
    links: settings.links.nullable(),
  })
  .partial();
