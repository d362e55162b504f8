import { z } from 'zod';
import { eventEnvelope } from './event-envelope.ts';
import { anyItem } from './http/item.ts';
import { contracts } from './registry.ts';
import type { Described } from './registry.ts';

export const itemChangeTypes = [
  'created',
  'updated',
  'deleted',
  'undeleted',
  'conflicted',
  'resolved',
] as const;
export type ItemChangeType = (typeof itemChangeTypes)[number];

const historyEntry = z.object({
  sequence: z.number().int(),
  when: z.string().optional(),
  by: z.string().optional(),
});

/** What an event says of an item. */
const itemData = z.object({
  updates: z.number().int().describe('With SSE the version.'),
  history: historyEntry.optional().describe('The topmost one.'),
  deleted: z.boolean(),
  noconflicts: z.boolean().optional(),
  conflictCount: z.number().int(),
  subscription: z
    .string()
    .optional()
    .describe('The subscription that brought the change; absent for a local edit.'),
  resolution: z
    .object({ policy: z.string(), conflicts: z.number().int() })
    .optional()
    .describe('That a policy has resolved conflicts (FeedSync 3.4), and how many.'),
  itemUrl: z.string(),
  item: anyItem
    .optional()
    .describe('With the setting `includeItem` of the collection: the item as `itemUrl` returns it.'),
  itemOmitted: z
    .literal(true)
    .optional()
    .describe('With `includeItem`: the item has more than 262,144 bytes of JSON and is not in the event.'),
});

/** A change to an item, as consumers get it. */
export const itemEventExample = {
  specversion: '1.0' as const,
  id: 'todo:0000000000000042',
  source: 'urn:feedmesh:example.org:todo',
  subject: 'groceries',
  type: 'feedmesh.item.updated.v1' as const,
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

/** A change to an item. */
export const itemEvent = z
  .object({
    ...eventEnvelope,
    type: z.enum(itemChangeTypes.map((change) => `feedmesh.item.${change}.v1` as const)),
    data: itemData,
  })
  .register(contracts, { id: 'ItemEvent', version: 1, example: itemEventExample });
export type ItemEvent = Described<typeof itemEvent>;
