import { z } from 'zod';
import { collectionName, tenantName } from '../name.ts';
import { contracts } from '../registry.ts';
import type { Described } from '../registry.ts';
import { actor } from './actor.ts';
import { page, pageParameters } from './page.ts';
import { time } from './time.ts';

const outcome = z.enum(['begun', 'done', 'refused', 'failed', 'link']);
const text = z.string().max(1000);

/** Which entries of the audit log are listed. */
export const auditQuery = z.strictObject({
  ...pageParameters,
  collection: z
    .union(
      [
        collectionName,
        z
          .string()
          .refine(
            (scope) => tenantName.safeParse(scope.replace(/\.\*$/, '')).success && scope.endsWith('.*'),
          ),
      ],
      'the name of a collection, or that of a tenant with ".*" for all of its collections',
    )
    .optional()
    .describe(
      'Only those about this collection, or about those of a tenant (`acme.*`). They are shown without ' +
        'their places in the chains.',
    ),
  since: time.optional().describe('Only those at this time or later.'),
  until: time.optional().describe('Only those before this time.'),
  actor: text.optional().describe('Only what the actor with this id has done: the id of a key.'),
  operation: text.optional().describe('Only those of this operation, such as `updateItem`.'),
  outcome: outcome.optional().describe('Only those with this outcome.'),
  request: text.optional().describe('Only those of the request with this `X-Request-Id`.'),
});

const head = z.object({ chain: z.string(), sequence: z.number().int(), hash: z.string(), at: time });

const entry = z.object({
  id: z.string().describe('Sorts by time.'),
  at: time,
  outcome: outcome.describe(
    '`begun` is entered before a change that is no edit of items, and `done` once it is made. `refused`: ' +
      'nothing was changed. `failed`: the outcome is unknown. `link` names the ends of other chains.',
  ),
  operation: z
    .string()
    .optional()
    .describe('The name of an operation of this description, or `command` and that of a command.'),
  actor: actor.optional().describe('Absent if it is unknown who it was.'),
  address: z.string().optional().describe('The IP address that the request came from.'),
  via: z
    .enum(['http', 'queue', 'database'])
    .optional()
    .describe('HTTP, the queue `commands`, or a command line that writes to MongoDB directly.'),
  request: z.string().optional().describe('The `X-Request-Id`.'),
  collection: z.string().optional(),
  subject: z
    .object({ kind: z.string(), id: z.string() })
    .optional()
    .describe('What was changed in it, or besides collections: an item, a key and so on.'),
  revision: z
    .object({ before: z.number().int().optional(), after: z.number().int() })
    .optional()
    .describe('Of the item, or of the first one of several.'),
  items: z.number().int().optional().describe('How many items were changed, if there were several.'),
  status: z.number().int().optional().describe('The status of the response.'),
  problem: z.string().optional().describe('The last part of the type of the problem.'),
  begun: z.string().optional().describe('The id of the entry that says that it was begun.'),
  count: z.number().int().optional().describe('How many refusals like this one the entry stands for.'),
  since: time.optional().describe('When the first of them was, or when what is entered late has happened.'),
  heads: z.array(head).optional(),
  keptDays: z.number().int().optional().describe('For how many days entries are kept.'),
  chain: z.string().optional().describe('The chain, which one process has written.'),
  sequence: z.number().int().optional().describe('The place in its chain, from 0.'),
  former: z.object({ hash: z.string(), at: time }).optional().describe('The entry before it in its chain.'),
  hash: z.string().optional().describe('The SHA-256 of the entry without this member (base64url).'),
});
const example = {
  id: '019b7d2c8f3a.3f7a0c6b9d1e2f48.00000',
  at: '2026-01-02T03:04:05.000Z',
  outcome: 'done' as const,
  operation: 'updateItem',
  actor: { kind: 'key', id: '3f7a0c6b9d1e2f48', name: 'shop' },
  address: '192.0.2.7',
  via: 'http' as const,
  request: 'c0ffee',
  collection: 'orders',
  subject: { kind: 'item', id: 'groceries' },
  revision: { before: 1, after: 2 },
  status: 200,
  chain: '3f7a0c6b9d1e2f48',
  sequence: 7,
  former: { hash: 'A'.repeat(43), at: '2026-01-02T03:04:01.000Z' },
  hash: 'B'.repeat(43),
};

/** An entry of the audit log. */
export const auditEntry = entry.register(contracts, { id: 'AuditEntry', version: 1, example });
export type AuditEntryView = Described<typeof auditEntry>;
export const auditEntryExample = example;
export const auditPage = page('AuditPage', auditEntry, example);
