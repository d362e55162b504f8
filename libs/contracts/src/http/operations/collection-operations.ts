import { z } from 'zod';
import { collection, collectionPage, renewedCollection } from '../collection.ts';
import { collectionBody, endpointBody, visibilityBody } from '../collection-body.ts';
import { patchTypes } from '../operation.ts';
import type { Operation } from '../operation.ts';
import { pageParameters } from '../page.ts';

/** What the list of the collections takes. */
export const collectionsQuery = z.strictObject({
  ...pageParameters,
  counts: z
    .enum(['true', 'false'])
    .optional()
    .describe('`false` leaves `counts` out, which is faster for large collections.'),
});

const json = ['application/json'] as const;
const shown = { description: 'The collection.', json: collection } as const;

export const collectionOperations = {
  listCollections: {
    method: 'GET',
    path: '/v1/collections',
    needs: 'read',
    over: 'some',
    tag: 'collections',
    summary: 'Lists the collections',
    description: 'Lists the collections by name, each with how many items and subscriptions it has.',
    query: collectionsQuery,
    responses: { 200: { description: 'A page of collections.', json: collectionPage } },
    problems: [],
  },
  putCollection: {
    method: 'PUT',
    path: '/v1/collections/{collection}',
    needs: 'admin',
    tag: 'collections',
    summary: 'Creates or changes a collection',
    description:
      'Creates a collection (201), or changes its title and settings (200): what is absent stays as it is, ' +
      '`null` takes a setting away. Protocol, format, endpoint and `ordered` never change.',
    body: { required: false, json: { schema: collectionBody, types: json } },
    responses: {
      200: { description: 'The collection as it is now.', json: collection },
      201: { description: 'The new collection.', json: collection },
    },
    problems: [
      'collection-fixed',
      'collection-being-removed',
      'collection-not-found',
      'tenant-limit',
      'tenant-not-found',
    ],
  },
  readCollection: {
    method: 'GET',
    path: '/v1/collections/{collection}',
    needs: 'read',
    tag: 'collections',
    summary: 'Reads a collection',
    description: 'Reads a collection: its settings, how much is in it, and where that is.',
    responses: { 200: shown },
    problems: ['collection-not-found'],
  },
  patchCollection: {
    method: 'PATCH',
    path: '/v1/collections/{collection}',
    needs: 'admin',
    tag: 'collections',
    summary: 'Changes a part of a collection',
    description: 'Changes what a merge patch names of a collection (RFC 7396); `null` takes a setting away.',
    body: { required: true, json: { schema: collectionBody, types: patchTypes } },
    responses: { 200: shown },
    problems: ['collection-not-found', 'collection-fixed', 'invalid-patch'],
  },
  setVisibility: {
    method: 'PUT',
    path: '/v1/collections/{collection}/visibility',
    needs: 'publish',
    tag: 'collections',
    summary: 'Publishes the feeds of a collection to everyone, or no more',
    description:
      'Says whether everyone may read the feeds and files of a collection, or only whoever may read the ' +
      'collection.',
    body: { required: true, json: { schema: visibilityBody, types: json } },
    responses: { 200: shown },
    problems: ['collection-not-found'],
  },
  renewEndpoint: {
    method: 'POST',
    path: '/v1/collections/{collection}/endpoint',
    needs: 'admin',
    tag: 'collections',
    summary: 'Gives a collection another endpoint identifier',
    description:
      'Gives a collection another endpoint identifier, because someone else signs with its present one; ' +
      'then takes in what was refused for that.',
    body: { required: false, json: { schema: endpointBody, types: json } },
    responses: { 200: { description: 'The collection, and what was taken in.', json: renewedCollection } },
    problems: ['collection-not-found', 'endpoint-used'],
  },
  removeCollection: {
    method: 'DELETE',
    path: '/v1/collections/{collection}',
    needs: 'admin',
    tag: 'collections',
    summary: 'Removes a collection',
    description:
      'Removes a collection with all its items and subscriptions, without tombstones. It is gone at once; ' +
      'what it had, if that is much, is deleted afterwards. Until then its name is not free ' +
      '(409 `collection-being-removed`).',
    responses: { 204: { description: 'It is removed.' } },
    problems: ['collection-not-found'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
