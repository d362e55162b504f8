import { z } from 'zod';
import { itemIdText } from '../../key.ts';
import { importedOutline } from '../imported-outline.ts';
import { positiveIntegerText } from '../integer-text.ts';
import { outline } from '../item.ts';
import type { Operation } from '../operation.ts';
import { opmlExample, opmlTexts } from '../text-examples.ts';

export const outlineQuery = z.strictObject({
  depth: positiveIntegerText.optional().describe('How many levels are shown; all by default.'),
});
export const additionQuery = z.strictObject({
  parent: itemIdText
    .optional()
    .describe('The outline that the new ones are to stand in; below the root by default.'),
});

const path = '/v1/collections/{collection}/outline';
const counts = { description: 'What was changed.', json: importedOutline } as const;
const body = { required: true, texts: opmlTexts } as const;

export const outlineOperations = {
  readOutline: {
    method: 'GET',
    path,
    needs: 'read',
    tag: 'outlines',
    summary: 'Shows the outlines as a tree',
    description:
      'Shows the outlines as a tree, in order and without the deleted ones; as text/x-opml, plain OPML for ' +
      'aggregators.',
    query: outlineQuery,
    responses: {
      200: { description: 'The outlines.', json: outline, texts: { 'text/x-opml': opmlExample } },
    },
    problems: ['collection-not-found', 'not-an-outline', 'not-acceptable', 'too-many-readers'],
  },
  addOutlines: {
    method: 'POST',
    path,
    needs: 'write',
    tag: 'outlines',
    summary: 'Adds outlines',
    description: 'Adds the outlines of an OPML document after what is there, and returns how many.',
    query: additionQuery,
    body,
    responses: { 200: counts },
    problems: [
      'collection-not-found',
      'not-an-outline',
      'idempotency-key-unsupported',
      'item-not-found',
      'item-state',
      'item-too-large',
      'tenant-limit',
      'invalid-xml',
      'invalid-edit',
      'edit-limit',
    ],
  },
  replaceOutline: {
    method: 'PUT',
    path,
    needs: 'write',
    tag: 'outlines',
    summary: 'Brings the outlines in step with a document',
    description:
      'Brings the collection in step with an OPML document, and returns what that took: outlines created, ' +
      'updated, moved, deleted and unchanged.',
    body,
    responses: { 200: counts },
    problems: [
      'collection-not-found',
      'not-an-outline',
      'item-state',
      'item-too-large',
      'tenant-limit',
      'invalid-xml',
      'invalid-edit',
      'edit-limit',
    ],
  },
} as const satisfies Readonly<Record<string, Operation>>;
