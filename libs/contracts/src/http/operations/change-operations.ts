import { z } from 'zod';
import { collectionScope } from '../../access.ts';
import { itemEventExample } from '../../item-event.ts';
import { changes } from '../changes.ts';
import { integerText } from '../integer-text.ts';
import type { Operation } from '../operation.ts';
import { pageParameters } from '../page.ts';

export const cursorQuery = z.strictObject({
  since: z.string().optional().describe('A cursor: 16 digits, or `0` or `start` for the beginning.'),
});

export const changesQuery = z.strictObject({
  since: cursorQuery.shape.since,
  limit: pageParameters.limit,
  mode: z
    .enum(['normal', 'longpoll', 'stream'])
    .optional()
    .describe(
      'Respond at once, wait for something newer, or send changes as they come; `normal` by default.',
    ),
  timeout: integerText(/^[0-9]{1,6}$/, 'a whole number of seconds', { minimum: 0, maximum: 999_999 })
    .optional()
    .describe('How many seconds `longpoll` waits; 25 by default.'),
});

export const allChangesQuery = changesQuery.extend({
  since: z
    .string()
    .optional()
    .describe(
      '`next` or the last id of the responses before; `0` or `start` for the beginning, `now` for what ' +
        'comes.',
    ),
  collections: collectionScope
    .optional()
    .describe('Only those of these collections: a name, or what names begin with and `*`.'),
});

const { sequence, type } = itemEventExample;
const streamExample = `id: ${sequence}\nevent: ${type}\ndata: ${JSON.stringify(itemEventExample)}\n\n`;

export const changeOperations = {
  readChanges: {
    method: 'GET',
    path: '/v1/collections/{collection}/changes',
    needs: 'read',
    tag: 'changes',
    summary: 'Reads changes',
    description: 'The changes after a cursor, or from the oldest that is kept, as CloudEvents.',
    query: changesQuery,
    headers: ['Last-Event-ID'],
    responses: {
      200: {
        description: 'The changes; with `mode=stream`, server-sent events.',
        json: changes,
        texts: { 'text/event-stream': streamExample },
      },
    },
    problems: ['collection-not-found', 'cursor-gone', 'too-many-readers'],
  },
  readAllChanges: {
    method: 'GET',
    path: '/v1/changes',
    needs: 'read',
    over: 'some',
    tag: 'changes',
    summary: 'Reads the changes of all collections',
    description:
      'The changes of all collections that the caller may read, as `readChanges` returns those of one: in ' +
      'order for each collection. New collections are included, also in a stream. At most 500 collections.',
    query: allChangesQuery,
    headers: ['Last-Event-ID'],
    responses: {
      200: {
        description: 'The changes; with `mode=stream`, server-sent events, the last of several with an id.',
        json: changes,
        texts: { 'text/event-stream': streamExample.replace(sequence, 'all~todo_42') },
      },
    },
    problems: ['cursor-gone', 'too-many-collections', 'too-many-readers'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
