import { deletion } from '../deletion.ts';
import { anyItem, conflictPage, itemPage } from '../item.ts';
import { itemCreation, itemDeletion, itemPatch, itemResolution, itemUpdate } from '../item-body.ts';
import { patchTypes } from '../operation.ts';
import type { Operation } from '../operation.ts';
import { itemsQuery } from '../items-query.ts';
import { pageQuery } from '../page.ts';
import type { ProblemRule } from '../problem-rules.ts';
import { itemTexts } from '../text-examples.ts';

const path = '/v1/collections/{collection}/items/{id}';
const json = ['application/json'] as const;
const shown = { description: 'The item as it is now.', json: anyItem, texts: itemTexts } as const;
const editHeaders = ['If-Match', 'Idempotency-Key'] as const;

const creationProblems = [
  'collection-not-found',
  'not-acceptable',
  'mirror',
  'item-state',
  'item-too-large',
  'tenant-limit',
  'invalid-xml',
  'invalid-edit',
  'edit-limit',
  'invalid-idempotency-key',
  'idempotency-key-reused',
] as const satisfies readonly ProblemRule[];
const editProblems = [
  ...creationProblems,
  'item-not-found',
  'feed-not-found',
  'item-exists',
  'revision-mismatch',
  'invalid-if-match',
] as const satisfies readonly ProblemRule[];

export const itemOperations = {
  listItems: {
    method: 'GET',
    path: '/v1/collections/{collection}/items',
    needs: 'read',
    tag: 'items',
    summary: 'Lists the items',
    description:
      'Lists the items of a collection by id, or by date (`sort`): all, those in a state, those that ' +
      'contain some words (`q`), or those with some ids. A cursor belongs to the query that returned it.',
    query: itemsQuery,
    responses: { 200: { description: 'A page of items.', json: itemPage } },
    problems: ['collection-not-found'],
  },
  listConflicts: {
    method: 'GET',
    path: '/v1/collections/{collection}/conflicts',
    needs: 'read',
    tag: 'items',
    summary: 'Lists the items in conflict',
    description: 'Lists the items that have conflicts, by id.',
    query: pageQuery,
    responses: { 200: { description: 'A page of items.', json: itemPage } },
    problems: ['collection-not-found'],
  },
  listAllConflicts: {
    method: 'GET',
    path: '/v1/conflicts',
    needs: 'read',
    over: 'some',
    tag: 'items',
    summary: 'Lists the items in conflict of all collections',
    description:
      'Lists the items that have conflicts in all collections that the caller can read, by collection ' +
      'and id.',
    query: pageQuery,
    responses: { 200: { description: 'A page of items, each with its collection.', json: conflictPage } },
    problems: [],
  },
  createItem: {
    method: 'POST',
    path: '/v1/collections/{collection}/items',
    needs: 'write',
    tag: 'items',
    summary: 'Creates an item',
    description:
      'Creates an item (FeedSync 3.1, SSE 4.1), from JSON, from an Atom entry (RFC 5023, 9.2), an RSS item ' +
      'or an OPML outline: in whichever format its collection takes.',
    headers: ['Idempotency-Key'],
    body: { required: true, json: { schema: itemCreation, types: json }, texts: itemTexts },
    responses: { 201: { description: 'The new item.', json: anyItem, texts: itemTexts } },
    problems: [...creationProblems, 'item-exists', 'feed-not-found', 'item-not-found'],
  },
  readItem: {
    method: 'GET',
    path,
    needs: 'read',
    tag: 'items',
    summary: 'Reads an item',
    description: 'Reads an item with its conflicts; a deleted one too.',
    headers: ['If-None-Match'],
    responses: {
      200: { description: 'The item.', json: anyItem, texts: itemTexts },
      304: { description: 'It has not changed.' },
    },
    problems: ['collection-not-found', 'item-not-found', 'not-acceptable', 'too-many-readers'],
  },
  updateItem: {
    method: 'PUT',
    path,
    needs: 'write',
    tag: 'items',
    summary: 'Updates an item',
    description: 'Gives an item new content or another place (FeedSync 3.2, SSE 4.2).',
    headers: editHeaders,
    body: { required: true, json: { schema: itemUpdate, types: json }, texts: itemTexts },
    responses: { 200: shown },
    problems: editProblems,
  },
  patchItem: {
    method: 'PATCH',
    path,
    needs: 'write',
    tag: 'items',
    summary: 'Changes a part of an item',
    description:
      'Changes what a merge patch names of an item (RFC 7396): its content, where `null` removes a value, ' +
      'its place or its links.',
    headers: editHeaders,
    body: { required: true, json: { schema: itemPatch, types: patchTypes } },
    responses: { 200: shown },
    problems: [...editProblems, 'invalid-patch'],
  },
  deleteItem: {
    method: 'DELETE',
    path,
    needs: 'write',
    tag: 'items',
    summary: 'Deletes an item',
    description:
      'Deletes an item (FeedSync 3.2, SSE 4.2), with its data or without, an outline with all that is in ' +
      'it; its tombstone stays, and is returned. If there is much in an outline, it is deleted itself, and ' +
      'what is in it is deleted after the response (202).',
    query: itemDeletion,
    headers: editHeaders,
    responses: {
      200: { description: 'The tombstone.', json: anyItem, texts: itemTexts },
      202: { description: 'How far the deletion is, which `Location` names.', json: deletion },
    },
    problems: editProblems,
  },
  readDeletion: {
    method: 'GET',
    path: '/v1/collections/{collection}/deletions/{deletion}',
    needs: 'read',
    tag: 'items',
    summary: 'Reads how far a deletion is',
    description:
      'Reads how far the deletion of an outline with all that is in it is, until a while after its end.',
    responses: { 200: { description: 'The deletion.', json: deletion } },
    problems: ['collection-not-found', 'deletion-not-found'],
  },
  undeleteItem: {
    method: 'POST',
    path: `${path}/undelete`,
    needs: 'write',
    tag: 'items',
    summary: 'Brings a deleted item back',
    description:
      'Brings a deleted item back, with its last content, with new content, or with a merge patch of its ' +
      'last content.',
    headers: editHeaders,
    body: {
      required: false,
      json: { schema: itemUpdate, types: ['application/json', 'application/merge-patch+json'] },
      texts: itemTexts,
    },
    responses: { 200: shown },
    problems: [...editProblems, 'invalid-patch'],
  },
  resolveItem: {
    method: 'POST',
    path: `${path}/resolve`,
    needs: 'resolve',
    tag: 'items',
    summary: 'Resolves conflicts',
    description: 'Resolves conflicts of an item (FeedSync 3.4, SSE 5).',
    headers: editHeaders,
    body: { required: true, json: { schema: itemResolution, types: json } },
    responses: { 200: shown },
    problems: [...editProblems, 'invalid-resolution'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
