import { z } from 'zod';

/** What a hub says by a GET of a callback (WebSub, 5.2 and 5.3); it may say more. */
export const hubQuery = z.object({
  'hub.mode': z.string().optional().describe('`subscribe`, `unsubscribe` or `denied`.'),
  'hub.topic': z.string().optional().describe('What the hub calls the feed.'),
  'hub.challenge': z.string().optional().describe('What is returned.'),
  'hub.lease_seconds': z
    .string()
    .meta({ integer: { minimum: 1 } })
    .optional()
    .describe('For how long the hub announces changes.'),
  'hub.reason': z.string().optional().describe('Why the hub refuses.'),
});
