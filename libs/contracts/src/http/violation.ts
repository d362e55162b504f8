import { z } from 'zod';
import { contracts } from '../registry.ts';
import type { Described } from '../registry.ts';

/** Where a feed, an item or a command departs from the rules. */
export const violation = z
  .object({
    rule: z.string().describe('Stays the same over versions.'),
    section: z.string().describe('The section of the specification.'),
    message: z.string().describe('What was found, and what is allowed.'),
    severity: z
      .enum(['error', 'warning'])
      .describe('`error`: the item or feed is refused; `warning`: it is taken in all the same.'),
    line: z.number().int().positive(),
    column: z.number().int().positive(),
  })
  .register(contracts, {
    id: 'Violation',
    version: 1,
    example: {
      rule: 'sync-updates-range',
      section: 'FeedSync 2.4',
      message: '"updates" is a whole number from 1 to 2147483647, not "0".',
      severity: 'error',
      line: 12,
      column: 5,
    },
  });
export type ViolationView = Described<typeof violation>;
