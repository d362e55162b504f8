import { z } from 'zod';
import { contracts } from '../registry.ts';
import type { Described } from '../registry.ts';
import { pageParameters } from './page.ts';
import { collectionName } from '../name.ts';
import { time } from './time.ts';

const number = z.number().int();

/** How a subscription is, for those who watch over many. */
export const subscriptionStateText = z
  .enum(['ok', 'slow', 'late', 'failing', 'gone', 'paused', 'new'])
  .describe(
    '`failing` after a fetch that failed, until one succeeds; `slow` if its server is, also if the last ' +
      'fetch was given up because of that; `late` if it has been due for longer than GATEWAY_LATE_SECONDS ' +
      'and is not being fetched; `new` until its first fetch has ended.',
  );

const filter = {
  state: subscriptionStateText.optional().describe('Only those in this state.'),
  cause: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,63}$/, 'a cause, such as "timeout" or "http-404"')
    .optional()
    .describe('Only those whose last fetch failed by this cause, such as `timeout` or `http-404`.'),
};
const collection = collectionName.optional().describe('Only those of this collection.');

/** What the list of the subscriptions of a collection takes. */
export const subscriptionsQuery = z.strictObject({ ...pageParameters, ...filter });
/** What the list of the subscriptions of all collections takes. */
export const allSubscriptionsQuery = z.strictObject({ ...pageParameters, collection, ...filter });
/** Which subscriptions are meant. */
export const subscriptionFilterQuery = z.strictObject({ collection, ...filter });
/** Whose subscriptions are counted. */
export const subscriptionCountsQuery = z.strictObject({ collection });

/** How many subscriptions are in each state. */
export const subscriptionStateCounts = z.object({
  ok: number,
  slow: number,
  late: number,
  failing: number,
  gone: number,
  paused: number,
  new: number,
});

/** How many subscriptions there are, by state and cause. */
export const subscriptionCounts = z
  .object({
    total: number,
    states: subscriptionStateCounts,
    causes: z.record(z.string(), number).describe('Of those whose last fetch failed, by cause.'),
    lateSeconds: z.number().describe('For how long they may be due before they are late.'),
  })
  .register(contracts, {
    id: 'SubscriptionCounts',
    version: 1,
    example: {
      total: 1206,
      states: { ok: 1177, slow: 3, late: 0, failing: 17, gone: 3, paused: 2, new: 4 },
      causes: { timeout: 12, 'http-404': 5 },
      lateSeconds: 300,
    },
  });
export type SubscriptionCountsView = Described<typeof subscriptionCounts>;

/** What became of a change of several subscriptions. */
export const changedSubscriptions = z
  .object({
    changed: number.describe('How many subscriptions.'),
    dueUntil: time.optional().describe('When the last of them is due; they are spread over the time.'),
  })
  .register(contracts, {
    id: 'ChangedSubscriptions',
    version: 1,
    example: { changed: 17, dueUntil: '2026-01-01T10:00:00.170Z' },
  });
export type ChangedSubscriptionsView = Described<typeof changedSubscriptions>;
