import type { Operation } from '../operation.ts';
import { subscriptionPage } from '../subscription.ts';
import {
  allSubscriptionsQuery,
  changedSubscriptions,
  subscriptionCounts,
  subscriptionCountsQuery,
  subscriptionFilterQuery,
} from '../subscription-counts.ts';

const list = '/v1/subscriptions';
const problems = ['collection-not-found'] as const;
const repeatable = 'Safe to repeat.';

/** The operations of those who watch over the subscriptions of all collections. */
export const watchOperations = {
  listAllSubscriptions: {
    method: 'GET',
    path: list,
    needs: 'read',
    over: 'queried',
    tag: 'subscriptions',
    summary: 'Lists the subscriptions of all collections',
    description:
      'Lists the subscriptions of all collections, or of one, by `<collection>/<name>`; to a browser ' +
      '(`Accept: text/html`) as a page with the counts.',
    query: allSubscriptionsQuery,
    responses: {
      200: {
        description: 'A page of subscriptions.',
        json: subscriptionPage,
        texts: { 'text/html': '<!doctype html><title>Subscriptions</title>' },
      },
    },
    problems,
  },
  countSubscriptions: {
    method: 'GET',
    path: `${list}/counts`,
    needs: 'read',
    over: 'queried',
    tag: 'subscriptions',
    summary: 'Counts the subscriptions by state and cause',
    description: 'Counts the subscriptions of all collections, or of one.',
    query: subscriptionCountsQuery,
    responses: { 200: { description: 'How many there are.', json: subscriptionCounts } },
    problems,
  },
  refreshSubscriptions: {
    method: 'POST',
    path: `${list}/refresh`,
    needs: 'subscribe',
    over: 'queried',
    tag: 'subscriptions',
    summary: 'Fetches many feeds soon',
    description:
      'Makes the active ones that the filter is for due, GATEWAY_REFRESH_RATE in a second; one that is due ' +
      `earlier stays so. ${repeatable}`,
    query: subscriptionFilterQuery,
    responses: { 200: { description: 'How many are due.', json: changedSubscriptions } },
    problems,
  },
  pauseSubscriptions: {
    method: 'POST',
    path: `${list}/pause`,
    needs: 'subscribe',
    over: 'queried',
    tag: 'subscriptions',
    summary: 'Pauses many subscriptions',
    description: `Pauses the active ones that the filter is for until they are resumed. ${repeatable}`,
    query: subscriptionFilterQuery,
    responses: { 200: { description: 'How many are paused.', json: changedSubscriptions } },
    problems,
  },
  resumeSubscriptions: {
    method: 'POST',
    path: `${list}/resume`,
    needs: 'subscribe',
    over: 'queried',
    tag: 'subscriptions',
    summary: 'Resumes many subscriptions',
    description:
      'Resumes the paused ones that the filter is for, and makes them due as `refreshSubscriptions` does. ' +
      `A state other than \`paused\` is that of none of them. ${repeatable}`,
    query: subscriptionFilterQuery,
    responses: { 200: { description: 'How many are resumed.', json: changedSubscriptions } },
    problems,
  },
} as const satisfies Readonly<Record<string, Operation>>;
