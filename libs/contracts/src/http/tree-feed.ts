import { z } from 'zod';
import { contracts } from '../registry.ts';
import type { Described } from '../registry.ts';
import { documentState, downloadFailure } from './document.ts';
import { branch } from './item.ts';
import { page } from './page.ts';
import { time } from './time.ts';
import { xmlText } from './xml-text.ts';

/** The names that are taken at /feeds/{collection}/. */
const takenNames: readonly string[] = ['complete', 'reader'];

/** The id of a feed in a tree. */
export const treeFeedId = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,62}$/,
    'the id of a feed is 1 to 63 of a-z, 0-9 and "-", and does not begin with "-"',
  )
  .refine(
    (id) => !takenNames.includes(id),
    'no feed of a tree is called "complete" or "reader": other feeds have these addresses',
  );

/**
 * What a feed of a tree says of itself. If it exists, what is absent stays as it is; `null` takes it away.
 */
export const treeFeedBody = z
  .strictObject({
    title: xmlText.min(1).max(500).optional().describe('The id by default.'),
    description: xmlText.max(10_000).nullable().optional(),
    link: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .nullable()
      .optional()
      .describe('The page that the feed goes with.'),
  })
  .register(contracts, { id: 'TreeFeedBody', version: 1, example: { title: 'Pictures' } });
export type TreeFeedBody = z.infer<typeof treeFeedBody>;

const example = {
  id: 'pictures',
  title: 'Pictures',
  url: 'https://here.example/feeds/news/pictures.rss',
  lastBuildDate: '2026-01-01T10:00:05.000Z',
  createdAt: '2026-01-01T09:00:00.000Z',
  state: 'cached' as const,
};

/** A feed of a tree. */
export const treeFeed = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string().optional(),
    link: z.string().optional(),
    url: z.string().describe('Where it is published.'),
    source: z.string().optional().describe('Where it is mirrored from.'),
    lastBuildDate: time.optional().describe('Absent while nothing was published in it or below it.'),
    createdAt: time,
    state: documentState.describe('`cached` of a feed of our own.'),
    reason: downloadFailure.optional(),
  })
  .register(contracts, { id: 'TreeFeed', version: 1, example });
export type TreeFeedView = Described<typeof treeFeed>;

export const treeFeedPage = page('TreeFeedPage', treeFeed, example);

/** A feed of a tree with one page of its items. */
export const treePage = z
  .object({ feed: treeFeed, items: z.array(branch), next: z.string().optional() })
  .register(contracts, {
    id: 'TreePage',
    version: 1,
    example: {
      feed: example,
      items: [{ id: 'pictures:1', guid: '1', title: 'A picture', hidden: false, links: [] }],
    },
  });
export type TreePageView = Described<typeof treePage>;
