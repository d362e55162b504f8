import { z } from 'zod';
import { contracts } from '../registry.ts';
import type { Described } from '../registry.ts';
import { time } from './time.ts';

/** The deletion of everything in an outline, which goes on after its request. */
export const deletion = z
  .object({
    id: z.string(),
    collection: z.string(),
    item: z.string().describe('The id of the outline; it is deleted already.'),
    state: z
      .enum(['in-progress', 'done', 'failed'])
      .describe('`failed` says that some of it could not be deleted; `detail` says why.'),
    done: z
      .number()
      .int()
      .describe('Outlines in it that are deleted by now, those that were before among them.'),
    total: z.number().int().describe('Outlines in it that were found so far; grows on the way.'),
    requestedAt: time,
    endedAt: time.optional(),
    detail: z.string().describe('What the state means, for people.'),
    links: z.object({ self: z.string(), item: z.string() }),
  })
  .register(contracts, {
    id: 'Deletion',
    version: 1,
    example: {
      id: '3f7a0c6b',
      collection: 'reading',
      item: 'here.0a79',
      state: 'in-progress' as const,
      done: 1500,
      total: 20_000,
      requestedAt: '2026-01-01T10:00:00.000Z',
      detail:
        'An outline with more than 500 outlines in it (setting GATEWAY_DELETE_ITEMS) is deleted in steps.',
      links: {
        self: 'https://mesh.example/v1/collections/reading/deletions/3f7a0c6b',
        item: 'https://mesh.example/v1/collections/reading/items/here.0a79',
      },
    },
  });
export type DeletionView = Described<typeof deletion>;
