import { z } from 'zod';
import { progress } from './http/progress.ts';
import { contracts } from './registry.ts';

export const itemChangeTypes = [
  'created',
  'updated',
  'deleted',
  'undeleted',
  'conflicted',
  'resolved',
] as const;
export type ItemChangeType = (typeof itemChangeTypes)[number];

const itemEvents = `item\\.(${itemChangeTypes.join('|')})`;
const subscriptionEvents = 'subscription\\.(fetched|failed|moved|gone|resynced|progress|endpoint-not-unique)';

const historyEntry = z.object({
  sequence: z.number().int(),
  when: z.string().optional(),
  by: z.string().optional(),
});

/** An event as consumers get it. */
export const changeEventExample = {
  specversion: '1.0' as const,
  id: 'todo:0000000000000042',
  source: 'urn:feedmesh:example.org:todo',
  subject: 'groceries',
  type: 'feedmesh.item.updated.v1',
  time: '2026-01-01T10:00:05.000Z',
  datacontenttype: 'application/json' as const,
  sequence: '0000000000000042',
  data: {
    updates: 2,
    history: { sequence: 2, when: '2026-01-01T10:00:00Z', by: 'example.org:todo' },
    deleted: false,
    conflictCount: 0,
    itemUrl: 'https://here.example/v1/collections/todo/items/groceries',
  },
};

const count = z.number().int().optional();

/** What an event says of the item or the subscription. */
const changeData = z.object({
  updates: count,
  history: historyEntry.optional(),
  deleted: z.boolean().optional(),
  noconflicts: z.boolean().optional(),
  conflictCount: count,
  subscription: z
    .string()
    .optional()
    .describe('The subscription that brought the change; absent for a local edit.'),
  resolution: z
    .object({ policy: z.string(), conflicts: z.number().int() })
    .optional()
    .describe('That a policy has resolved conflicts (FeedSync 3.4), and how many.'),
  discarded: count.describe('Of a resync: how many items were discarded (FeedSync 4.1.2).'),
  endpoint: z
    .string()
    .optional()
    .describe(
      'Of `endpoint-not-unique`: the identifier of this endpoint, with which someone else signs too ' +
        '(FeedSync 2.1.1).',
    ),
  url: z
    .string()
    .optional()
    .describe('Of `moved`: the address of the feed from now on, where it has moved or was found.'),
  formerUrl: z.string().optional().describe('Of `moved`: the address that it had.'),
  progress: progress.optional().describe('How far the walk through a tree is.'),
  itemUrl: z.string().optional(),
  item: z.unknown().optional(),
});

/** A change to an item or a subscription: CloudEvents 1.0, structured JSON. */
export const changeEvent = z
  .object({
    specversion: z.literal('1.0'),
    id: z.string().describe('`<collection>:<sequence>`; the key to drop duplicates by.'),
    source: z
      .string()
      .startsWith('urn:feedmesh:')
      .describe(
        '`urn:feedmesh:{endpoint}` with the present endpoint identifier of the collection: with `id` ' +
          'unique among all installations.',
      ),
    subject: z.string().describe("The item's id, or the subscription's."),
    type: z.string().regex(new RegExp(`^feedmesh\\.(${itemEvents}|${subscriptionEvents})\\.v1$`)),
    time: z.string().describe('RFC 3339.'),
    datacontenttype: z.literal('application/json'),
    sequence: z
      .string()
      .regex(/^\d{16}$/)
      .describe('The cursor: fixed width, sorts by code point.'),
    traceparent: z
      .string()
      .optional()
      .describe('The trace that the change is part of (W3C Trace Context), where it is recorded.'),
    data: changeData,
  })
  .register(contracts, { id: 'ChangeEvent', version: 1, example: changeEventExample });
export type ChangeEvent = z.infer<typeof changeEvent>;

/** Sequences as text: 16 digits, so that they sort by code point. Takes 0 to 2^53-1. */
export function formatCursor(sequence: number): string {
  return String(sequence).padStart(16, '0');
}

/** The sequence that a cursor stands for; undefined for anything that `formatCursor` does not write. */
export function parseCursor(cursor: string): number | undefined {
  if (!/^\d{16}$/.test(cursor)) return undefined;
  const sequence = Number(cursor);
  return Number.isSafeInteger(sequence) ? sequence : undefined;
}
