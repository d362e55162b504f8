import { z } from 'zod';
import { collectionName } from '../../name.ts';
import { deadLetter, deadLetterPage, discardedLetters, retriedLetters } from '../dead-letter.ts';
import type { Operation } from '../operation.ts';
import { pageParameters } from '../page.ts';
import { itemOperations } from './item-operations.ts';
import { subscriptionOperations } from './subscription-operations.ts';

export const deadLettersQuery = z.strictObject({
  ...pageParameters,
  collection: collectionName.optional().describe('Only those of this collection.'),
  rule: z.string().max(100).optional().describe('Only those that this rule was broken for.'),
});

export const deadLetterOperations = {
  listDeadLetters: {
    method: 'GET',
    path: '/v1/dead-letters',
    needs: 'read',
    over: 'queried',
    tag: 'dead letters',
    summary: 'Lists the dead letters',
    description: 'Lists what could not be taken in, with the reasons.',
    query: deadLettersQuery,
    responses: { 200: { description: 'A page of dead letters.', json: deadLetterPage } },
    problems: [],
  },
  retryDeadLetters: {
    method: 'POST',
    path: '/v1/dead-letters/retry',
    needs: 'write',
    over: 'queried',
    tag: 'dead letters',
    summary: 'Tries many dead letters again',
    description:
      'Tries `limit` of those that the filter is for again, for ten seconds at most, as `retryDeadLetter` ' +
      'does. Send it again with `next` as the `cursor` as long as there is one. Safe to repeat.',
    query: deadLettersQuery,
    responses: { 200: { description: 'What became of them.', json: retriedLetters } },
    problems: [],
  },
  discardDeadLetters: {
    method: 'POST',
    path: '/v1/dead-letters/discard',
    needs: 'write',
    over: 'queried',
    tag: 'dead letters',
    summary: 'Discards many dead letters',
    description:
      'Discards `limit` of those that the filter is for, for ten seconds at most. Send it again as long as ' +
      'there is a `next`. Safe to repeat.',
    query: deadLettersQuery,
    responses: { 200: { description: 'How many are removed.', json: discardedLetters } },
    problems: [],
  },
  readDeadLetter: {
    method: 'GET',
    path: '/v1/dead-letters/{letter}',
    needs: 'read',
    over: 'letter',
    tag: 'dead letters',
    summary: 'Reads a dead letter',
    description: 'Reads what could not be taken in, and why.',
    responses: { 200: { description: 'The dead letter.', json: deadLetter } },
    problems: ['dead-letter-not-found'],
  },
  retryDeadLetter: {
    method: 'POST',
    path: '/v1/dead-letters/{letter}/retry',
    needs: 'write',
    over: 'letter',
    tag: 'dead letters',
    summary: 'Tries a dead letter again',
    description: 'Takes it in once more; the letter is removed if it goes well.',
    responses: { 204: { description: 'It was taken in.' } },
    problems: [
      'dead-letter-not-found',
      'dead-letter-partial',
      'rejected-again',
      'tenant-limit',
      'unknown-command',
      // A letter can hold any command.
      ...itemOperations.resolveItem.problems,
      ...subscriptionOperations.patchSubscription.problems,
      'subscription-gone',
    ],
  },
  discardDeadLetter: {
    method: 'DELETE',
    path: '/v1/dead-letters/{letter}',
    needs: 'write',
    over: 'letter',
    tag: 'dead letters',
    summary: 'Discards a dead letter',
    description: 'Discards it: it is removed and not merged or run again.',
    responses: { 204: { description: 'It is removed.' } },
    problems: ['dead-letter-not-found'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
