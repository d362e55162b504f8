import { z } from 'zod';
import { contracts } from '../registry.ts';
import type { Described } from '../registry.ts';
import { fetchReport } from './subscription.ts';
import { time } from './time.ts';

const { outcome, reason, rule, cause, items, rejected, plain } = fetchReport.shape;

/** One fetch of a feed. */
const fetch = z.object({
  startedAt: time,
  durationMs: z.number().int().describe('Milliseconds until the fetch ended, its items merged.'),
  outcome,
  status: z
    .number()
    .int()
    .optional()
    .describe('The HTTP status of the feed, or with which the fetch failed; absent if there was none.'),
  bytes: z.number().int().describe('Of the documents that were read, without their content coding.'),
  items,
  rejected,
  plain,
  rule,
  cause,
  reason,
});
export type FetchView = Described<typeof fetch>;

/** The latest fetches of a subscription. */
export const fetches = z
  .object({ items: z.array(fetch).describe('The last one first, at most 20.') })
  .register(contracts, {
    id: 'Fetches',
    version: 1,
    example: {
      items: [
        {
          startedAt: '2026-01-01T10:00:00.000Z',
          durationMs: 120,
          outcome: 'fetched',
          status: 200,
          bytes: 18_250,
          items: 12,
          rejected: 0,
        },
        {
          startedAt: '2026-01-01T09:55:00.000Z',
          durationMs: 10_000,
          outcome: 'failed',
          bytes: 0,
          rule: 'http-timeout',
          cause: 'timeout',
          reason: 'http://peer.example/todo.atom did not answer within 10 seconds',
        },
      ],
    },
  });
export type FetchesView = Described<typeof fetches>;
