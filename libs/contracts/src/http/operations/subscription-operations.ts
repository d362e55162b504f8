import { discoveredFeedPage } from '../discovered-feed.ts';
import { fetches } from '../fetch.ts';
import { patchTypes } from '../operation.ts';
import type { Operation } from '../operation.ts';
import { pageQuery } from '../page.ts';
import { subscribed, subscription, subscriptionPage } from '../subscription.ts';
import { subscriptionsQuery } from '../subscription-counts.ts';
import { newSubscriptionBody, subscriptionBody, subscriptionPatch } from '../subscription-body.ts';
import { opmlExample, opmlTexts } from '../text-examples.ts';

const list = '/v1/collections/{collection}/subscriptions';
const path = `${list}/{subscription}` as const;
const json = ['application/json'] as const;
const shown = { description: 'The subscription.', json: subscription } as const;
const missing = ['collection-not-found', 'subscription-not-found'] as const;
const listProgressExample =
  '{"done":500,"total":512}\n{"done":512,"total":512}\n' +
  '{"result":{"created":510,"existing":2,"refused":[]}}\n';
const refused = [
  'collection-not-found',
  'tenant-limit',
  'tenant-not-found',
  'already-subscribed',
  'mirror',
  'own-items',
] as const;

export const subscriptionOperations = {
  listSubscriptions: {
    method: 'GET',
    path: list,
    needs: 'read',
    tag: 'subscriptions',
    summary: 'Lists the subscriptions',
    description:
      'Lists the subscriptions of a collection by name, or those in a state or of a cause; as text/x-opml, ' +
      'all of them as a subscription list for aggregators.',
    query: subscriptionsQuery,
    responses: {
      200: {
        description: 'A page of subscriptions.',
        json: subscriptionPage,
        texts: { 'text/x-opml': opmlExample },
      },
    },
    problems: ['collection-not-found', 'not-acceptable', 'too-many-readers'],
  },
  createSubscription: {
    method: 'POST',
    path: list,
    needs: 'subscribe',
    tag: 'subscriptions',
    summary: 'Subscribes to a feed, or to a list of feeds',
    description:
      'Subscribes to a feed (201), or replaces the subscription of that name (200); without a name, ' +
      'returns the subscription that reads this feed already (200). Subscribes to every feed of a ' +
      'subscription list in OPML (200), as `application/x-ndjson` with a line for each step before the ' +
      'result; a response that ends without one was interrupted, and the same request goes on.',
    body: { required: true, json: { schema: newSubscriptionBody, types: json }, texts: opmlTexts },
    responses: {
      201: { description: 'The new subscription.', json: subscription },
      200: {
        description: 'The subscription, or what became of the list.',
        json: subscribed,
        texts: { 'application/x-ndjson': listProgressExample },
      },
    },
    problems: [...refused, 'invalid-xml'],
  },
  putSubscription: {
    method: 'PUT',
    path,
    needs: 'subscribe',
    tag: 'subscriptions',
    summary: 'Subscribes under a name',
    description:
      'Subscribes to a feed under this name (201), or replaces its address and interval (200). A feed that ' +
      'is subscribed to under another name is refused (409).',
    body: { required: true, json: { schema: subscriptionBody, types: json } },
    responses: { 200: shown, 201: { description: 'The new subscription.', json: subscription } },
    problems: refused,
  },
  patchSubscription: {
    method: 'PATCH',
    path,
    needs: 'subscribe',
    tag: 'subscriptions',
    summary: 'Changes a part of a subscription',
    description:
      'Changes what a merge patch names of a subscription (RFC 7396): its address, its interval or a part ' +
      'of it.',
    body: { required: true, json: { schema: subscriptionPatch, types: patchTypes } },
    responses: { 200: shown },
    problems: [...refused, 'subscription-not-found', 'invalid-patch'],
  },
  readSubscription: {
    method: 'GET',
    path,
    needs: 'read',
    tag: 'subscriptions',
    summary: 'Reads a subscription',
    description: 'Reads a subscription: how its last fetch went, and when and why the next one is.',
    responses: { 200: shown },
    problems: missing,
  },
  listFetches: {
    method: 'GET',
    path: `${path}/fetches`,
    needs: 'read',
    tag: 'subscriptions',
    summary: 'Lists the latest fetches',
    description:
      'Lists the last 20 fetches of a subscription, the last one first. They are kept in Redis for a month ' +
      'after the last one, and can be lost.',
    responses: { 200: { description: 'The fetches.', json: fetches } },
    problems: missing,
  },
  removeSubscription: {
    method: 'DELETE',
    path,
    needs: 'subscribe',
    tag: 'subscriptions',
    summary: 'Ends a subscription',
    description: 'Ends a subscription; its items stay.',
    responses: { 204: { description: 'It has ended.' } },
    problems: missing,
  },
  refreshSubscription: {
    method: 'POST',
    path: `${path}/refresh`,
    needs: 'subscribe',
    tag: 'subscriptions',
    summary: 'Fetches the feed now',
    description: 'Fetches the feed now; a paused subscription stays paused afterwards.',
    responses: { 202: shown },
    problems: [...missing, 'subscription-gone'],
  },
  pauseSubscription: {
    method: 'POST',
    path: `${path}/pause`,
    needs: 'subscribe',
    tag: 'subscriptions',
    summary: 'Pauses a subscription',
    description: 'Fetches no more until it is resumed.',
    responses: { 200: shown },
    problems: [...missing, 'subscription-gone'],
  },
  resumeSubscription: {
    method: 'POST',
    path: `${path}/resume`,
    needs: 'subscribe',
    tag: 'subscriptions',
    summary: 'Resumes a subscription',
    description: 'Takes a paused subscription up again.',
    responses: { 200: shown },
    problems: [...missing, 'subscription-gone'],
  },
  listDiscoveredFeeds: {
    method: 'GET',
    path: '/v1/collections/{collection}/discovered-feeds',
    needs: 'read',
    tag: 'subscriptions',
    summary: 'Lists feeds to subscribe to',
    description:
      'Lists the feeds that subscribed feeds incorporate (FeedSync 2.3.1) and this collection does not ' +
      'read yet, by address.',
    query: pageQuery,
    responses: { 200: { description: 'A page of feeds.', json: discoveredFeedPage } },
    problems: ['collection-not-found'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
