import { z } from 'zod';
import { contracts } from '../registry.ts';
import type { Described } from '../registry.ts';
import { documentState, downloadFailure } from './document.ts';

/** A link of an item of a tree of feeds. */
export const treeLink = z
  .object({
    url: z.string().describe('Where it leads in our feed.'),
    source: z
      .string()
      .optional()
      .describe('Where it led in the feed that was mirrored, or what an editor has given.'),
    nestedFeed: z.boolean(),
    onDemand: z.boolean(),
    feed: z.string().optional().describe('The id of the feed of this tree that it leads to.'),
    file: z
      .object({
        digest: z.string(),
        name: z.string(),
        length: z.number().int(),
        type: z.string().optional(),
      })
      .optional(),
    inside: z
      .string()
      .optional()
      .describe('The child of the item that it stands in; absent if it stands in the item itself.'),
    state: documentState.optional().describe('Absent of what is not followed.'),
    reason: downloadFailure.optional(),
    fetch: z.string().optional().describe('Where a POST requests what is on demand.'),
  })
  .register(contracts, {
    id: 'TreeLink',
    version: 1,
    example: {
      url: `https://here.example/files/news/${'ab'.repeat(32)}/a.jpg`,
      nestedFeed: false,
      onDemand: false,
      file: { digest: 'ab'.repeat(32), name: 'a.jpg', length: 4, type: 'image/jpeg' },
      state: 'cached',
    },
  });
export type TreeLinkView = Described<typeof treeLink>;
