import { z } from 'zod';
import { contracts } from '../registry.ts';
import type { Described } from '../registry.ts';
import { violation } from './violation.ts';

/** One wrong value of a request. */
const inputFault = z.object({
  path: z.string().describe('Such as `body.settings.windowItems` or `query.limit`.'),
  message: z.string(),
});

const byFormat = z.record(z.string(), z.string());

/** A request that is refused, or that failed (RFC 9457). */
export const problem = z
  .object({
    type: z.string().startsWith('urn:feedmesh:problem:').describe('`urn:feedmesh:problem:` and the rule.'),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    instance: z.string().optional().describe('The path of the request.'),
    errors: z.array(inputFault).optional().describe('The wrong values, the first 20.'),
    moreErrors: z.number().int().optional().describe('How many more there are.'),
    violations: z.array(violation).optional().describe('What is wrong in a feed or an entry, the first 20.'),
    moreViolations: z.number().int().optional().describe('How many more there are.'),
    subscription: z.string().optional().describe('Of `already-subscribed`: its name.'),
    feed: z.string().optional().describe('Of `cursor-gone`: where to read the tree of feeds again.'),
    completeFeed: z.string().optional().describe('Of `cursor-gone`: where to read all items again.'),
    collection: z
      .string()
      .optional()
      .describe('Of `cursor-gone` of several collections: whose changes are gone.'),
    presentCursor: z
      .string()
      .optional()
      .describe('Of `cursor-gone` of several collections: where to go on once that one is read again.'),
    oldestCursor: z.string().optional().describe('Of `cursor-gone`: the oldest that is kept.'),
    feeds: byFormat.optional().describe('Of `feed-not-found`: the feeds that there are, by format.'),
    cause: z
      .string()
      .optional()
      .describe('Of `preview-failed`: as that of a subscription, such as `http-404`.'),
    fetchRule: z.string().optional().describe('Of `preview-failed`: the rule, such as `http-status`.'),
    outline: z.string().optional().describe('Of `feed-not-found`: the outline that there is instead.'),
  })
  .register(contracts, {
    id: 'Problem',
    version: 1,
    example: {
      type: 'urn:feedmesh:problem:collection-not-found',
      title: 'Collection not found',
      status: 404,
      detail: 'There is no collection "todo".',
      instance: '/v1/collections/todo',
    },
  });
export type ProblemView = Described<typeof problem>;
