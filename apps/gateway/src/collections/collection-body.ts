import { z } from 'zod';
import { isNamespaceSpecificString } from '#feedsync';

/** Any text that XML can carry. */
const xmlText = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

/** What a collection can be given. Where it exists, what is absent stays as it is. */
export const collectionBody = z.strictObject({
  title: z.string().min(1).max(500).regex(xmlText, 'only characters that XML 1.0 allows').optional(),
  protocol: z.literal('feedsync').optional(),
  format: z.enum(['atom', 'rss']).optional(),
  endpoint: z.string().max(500)
    .refine(isNamespaceSpecificString, 'an endpoint identifier is a Namespace Specific String (RFC 2141; FeedSync 2.1.1)').optional()
    .describe('Under what identifier this endpoint edits; `FEEDMESH_ENDPOINT` and the name by default.'),
  settings: z.strictObject({
    windowItems: z.number().int().min(1).max(1_000_000).optional().describe('How many items the partial feed holds at most; 1,000 by default.'),
    expiresAfter: z.number().int().min(60).max(315_360_000).optional().describe('After how many seconds a subscriber may miss an update; 604,800 by default.'),
    cleanUpHistory: z.boolean().optional().describe('Whether an edit keeps only the latest history of each endpoint (FeedSync 3.2); no by default.'),
  }).optional(),
});
export type CollectionBody = z.infer<typeof collectionBody>;
