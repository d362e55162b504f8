import { z } from 'zod';
import { xmlText } from '../collections/collection-body.ts';

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
 * What a feed of a tree says of itself. Where it exists, what is absent stays as it is; `null` takes it away.
 */
export const treeFeedBody = z.strictObject({
  title: xmlText.min(1).max(500).optional().describe('The id by default.'),
  description: xmlText.max(10_000).nullable().optional(),
  link: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .nullable()
    .optional()
    .describe('The page that the feed goes with.'),
});
export type TreeFeedBody = z.infer<typeof treeFeedBody>;
