import { z } from 'zod';

/** How far the walk through a tree of feeds is; `total` grows on the way. */
export const progress = z.object({
  done: z.number().int().describe('Downloads that came to an end, well or not.'),
  total: z.number().int(),
  bytes: z.number().int().describe('Of what arrived and is kept.'),
  failed: z.number().int().describe('Documents that failed, or were not requested because of a limit.'),
});
