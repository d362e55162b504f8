import { z } from 'zod';
import { contracts } from '../registry.ts';
import type { Described } from '../registry.ts';
import { page } from './page.ts';
import { time } from './time.ts';
import { violation } from './violation.ts';

const example = {
  id: 'todo.3f7a',
  collection: 'todo',
  subscription: 'peer',
  kind: 'item' as const,
  fragment: { xml: '<entry xmlns="http://www.w3.org/2005/Atom"/>', line: 12, column: 3 },
  violations: [
    {
      rule: 'sync-required',
      section: 'FeedSync 2.3',
      message: 'The item has no sx:sync.',
      severity: 'error' as const,
      line: 12,
      column: 3,
    },
  ],
  at: '2026-01-01T10:00:00.000Z',
};

/** Something that could not be taken in, with its reason. */
export const deadLetter = z
  .object({
    id: z.string(),
    collection: z.string().describe('Empty of a command that named none.'),
    subscription: z.string().optional(),
    kind: z.enum(['item', 'command']),
    fragment: z
      .object({
        xml: z.string(),
        line: z.number().int(),
        column: z.number().int(),
        id: z.string().optional(),
        place: z
          .object({ parent: z.string().optional(), after: z.string(), before: z.string().optional() })
          .optional(),
      })
      .optional()
      .describe('The item, and where it stood in its feed.'),
    command: z.object({ name: z.string(), data: z.unknown() }).optional(),
    violations: z.array(violation),
    at: time,
    isPartial: z
      .literal(true)
      .optional()
      .describe("That it was too large to be kept whole, so that it can't be retried."),
  })
  .register(contracts, { id: 'DeadLetter', version: 1, example });
export type DeadLetterView = Described<typeof deadLetter>;

export const deadLetterPage = page('DeadLetterPage', deadLetter, example);

const next = z
  .string()
  .optional()
  .describe('The `cursor` of the letters that are left, if there may be any.');

/** What became of dead letters that were tried again. */
export const retriedLetters = z
  .object({
    retried: z.number().int().describe('How many were taken in, and are removed.'),
    refused: z.number().int().describe('How many were refused again, and stay.'),
    refusals: z.array(z.object({ id: z.string(), rule: z.string(), detail: z.string() })),
    next,
  })
  .register(contracts, {
    id: 'RetriedLetters',
    version: 1,
    example: {
      retried: 99,
      refused: 1,
      refusals: [{ id: 'todo.3f7a', rule: 'rejected-again', detail: 'The item was rejected again.' }],
      next: 'dG9kbw',
    },
  });
export type RetriedLettersView = Described<typeof retriedLetters>;

/** How many dead letters were removed. */
export const discardedLetters = z
  .object({ discarded: z.number().int(), next })
  .register(contracts, { id: 'DiscardedLetters', version: 1, example: { discarded: 17 } });
export type DiscardedLettersView = Described<typeof discardedLetters>;
