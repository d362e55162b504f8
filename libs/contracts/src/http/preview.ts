import { z } from 'zod';
import { feedUrl } from '../feed-url.ts';
import { contracts } from '../registry.ts';
import type { Described } from '../registry.ts';
import { itemFields } from './item-fields.ts';
import { violation } from './violation.ts';

/** How many items a preview shows at most. */
const mostPreviewed = 200;

/** A feed to be shown as a subscription would read it. */
export const previewBody = z
  .strictObject({
    url: feedUrl.describe('The address of the feed, or of an HTML page that names it.'),
    limit: z
      .number()
      .int()
      .min(1)
      .max(mostPreviewed)
      .default(50)
      .describe('How many items are shown at most, the first ones of the feed.'),
  })
  .register(contracts, { id: 'PreviewBody', version: 1, example: { url: 'https://paper.example/' } });

const previewedItem = itemFields.omit({ payload: true }).extend({
  id: z.string().describe('The id that it would have.'),
  deleted: z.boolean(),
});

/** A feed as a subscription would read it; long texts are cut. */
export const preview = z
  .object({
    url: z.string().describe('The address of the feed, after redirects.'),
    page: z.string().optional().describe('The HTML page that names the feed, if the URL is that of a page.'),
    title: z.string().optional(),
    format: z.enum(['atom', 'rss', 'opml']).describe('The format that it is read in.'),
    document: z.string().describe('What the document is, such as `json-feed`.'),
    isSynchronised: z.boolean().describe('Whether it has synchronisation data: its items are merged then.'),
    items: z.array(previewedItem).describe('In the order of the feed.'),
    itemCount: z.number().int().describe('How many items a subscription would adopt or merge.'),
    leftOut: z.number().int().describe('How many it would leave out; `violations` tells why.'),
    violations: z.array(violation).describe('What is wrong with the feed, the first ones.'),
  })
  .register(contracts, {
    id: 'Preview',
    version: 1,
    example: {
      url: 'https://paper.example/rss',
      page: 'https://paper.example/',
      title: 'The Paper',
      format: 'rss',
      document: 'rss',
      isSynchronised: false,
      items: [
        {
          id: 'adopted:6e3c1f0a9d5b4c7e8f2a1b3c4d5e6f70',
          title: 'Frost kills half of the blossom',
          link: 'https://paper.example/frost',
          published: '2026-01-01T10:00:00Z',
          deleted: false,
        },
      ],
      itemCount: 1,
      leftOut: 0,
      violations: [],
    },
  });
export type PreviewView = Described<typeof preview>;

/** Why there is no preview: what a fetch says of itself. */
export interface PreviewFailure {
  /** Such as `http-status` or `feed-root`. */
  readonly rule: string;
  /** As that of a subscription, such as `http-404` or `invalid-feed`. */
  readonly cause: string;
  readonly reason: string;
  /** Whether it may be tried again soon: the host is busy, or the tenant has had its fetches. */
  readonly isTemporary?: boolean;
}

/** What a fetcher replies to a gateway. */
export type PreviewReply = { readonly preview: PreviewView } | { readonly failure: PreviewFailure };
