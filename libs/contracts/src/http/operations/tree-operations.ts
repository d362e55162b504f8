import { z } from 'zod';
import { documentPage, documentState, requestedLink } from '../document.ts';
import type { Operation } from '../operation.ts';
import { pageParameters, pageQuery } from '../page.ts';
import { treeFeed, treeFeedBody, treeFeedPage, treePage } from '../tree-feed.ts';

export const treeQuery = z.strictObject({
  ...pageParameters,
  feed: z.string().optional().describe('The id of a feed; `root` by default.'),
  hidden: z
    .enum(['true', 'false'])
    .default('true')
    .describe('`false` leaves out the items that a viewer does not show (csx:hiddenItem).'),
});

export const documentsQuery = z.strictObject({
  ...pageParameters,
  state: documentState.optional().describe('Only those in this state.'),
});

const feeds = '/v1/collections/{collection}/feeds';
const missing = ['collection-not-found', 'not-a-tree'] as const;

export const treeOperations = {
  readTree: {
    method: 'GET',
    path: '/v1/collections/{collection}/tree',
    needs: 'read',
    tag: 'trees',
    summary: 'Shows one feed of a tree',
    description:
      'A feed of a tree with its items in order and the state of everything that they link to: cached, ' +
      'stale, on-demand, failed (and why) or waiting.',
    query: treeQuery,
    responses: { 200: { description: 'The feed, and a page of its items.', json: treePage } },
    problems: [...missing, 'feed-not-found'],
  },
  listDocuments: {
    method: 'GET',
    path: '/v1/collections/{collection}/documents',
    needs: 'read',
    tag: 'trees',
    summary: 'Lists the documents of a mirror',
    description:
      'Lists the documents that a mirrored tree refers to, by address: what there is of each, and why not ' +
      'if it is missing.',
    query: documentsQuery,
    responses: { 200: { description: 'A page of documents.', json: documentPage } },
    problems: missing,
  },
  fetchLink: {
    method: 'POST',
    path: '/v1/collections/{collection}/items/{id}/links/{link}/fetch',
    needs: 'subscribe',
    tag: 'trees',
    summary: 'Requests a link on demand',
    description:
      'Requests what a link of a mirrored tree refers to on demand; links count from 0. It is fetched with ' +
      'the next walk through the tree, which begins now.',
    responses: { 202: { description: 'The document that was requested.', json: requestedLink } },
    problems: [
      ...missing,
      'item-not-found',
      'link-not-found',
      'not-a-mirror',
      'not-on-demand',
      'subscription-gone',
      'subscription-not-found',
    ],
  },
  listTreeFeeds: {
    method: 'GET',
    path: feeds,
    needs: 'read',
    tag: 'trees',
    summary: 'Lists the feeds of a tree',
    description: 'Lists the feeds of a tree by id.',
    query: pageQuery,
    responses: { 200: { description: 'A page of feeds.', json: treeFeedPage } },
    problems: missing,
  },
  putTreeFeed: {
    method: 'PUT',
    path: `${feeds}/{feed}`,
    needs: 'write',
    tag: 'trees',
    summary: 'Creates or changes a feed of a tree',
    description: 'Creates a feed in a tree of our own (201), or changes what it says of itself (200).',
    body: { required: false, json: { schema: treeFeedBody, types: ['application/json'] } },
    responses: {
      200: { description: 'The feed as it is now.', json: treeFeed },
      201: { description: 'The new feed.', json: treeFeed },
    },
    problems: [...missing, 'mirror', 'feed-not-found'],
  },
  readTreeFeed: {
    method: 'GET',
    path: `${feeds}/{feed}`,
    needs: 'read',
    tag: 'trees',
    summary: 'Reads a feed of a tree',
    description: 'Reads what a feed of a tree says of itself.',
    responses: { 200: { description: 'The feed.', json: treeFeed } },
    problems: [...missing, 'feed-not-found'],
  },
  removeTreeFeed: {
    method: 'DELETE',
    path: `${feeds}/{feed}`,
    needs: 'write',
    tag: 'trees',
    summary: 'Removes a feed of a tree',
    description: 'Removes a feed from a tree of our own, once nothing is in it and nothing links to it.',
    responses: { 204: { description: 'It is removed.' } },
    problems: [...missing, 'feed-not-found', 'feed-in-use', 'mirror'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
