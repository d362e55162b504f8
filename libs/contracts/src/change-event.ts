import { z } from 'zod';

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

/** A change to an item or a subscription: CloudEvents 1.0, structured JSON. */
export const changeEvent = z.object({
  specversion: z.literal('1.0'),
  /** `<collection>:<sequence>`; the key to drop duplicates by. */
  id: z.string(),
  /**
   * `urn:feedmesh:{endpoint}`, the `atom:id` of the collection's feeds: with `id` unique among all
   * installations.
   */
  source: z.string().startsWith('urn:feedmesh:'),
  /** The item's id, or the subscription's. */
  subject: z.string(),
  type: z.string().regex(new RegExp(`^feedmesh\\.(${itemEvents}|${subscriptionEvents})\\.v1$`)),
  /** RFC 3339. */
  time: z.string(),
  datacontenttype: z.literal('application/json'),
  /** The cursor: fixed width, sorts by code point. */
  sequence: z.string().regex(/^\d{16}$/),
  data: z.object({
    updates: z.number().int().optional(),
    history: historyEntry.optional(),
    deleted: z.boolean().optional(),
    noconflicts: z.boolean().optional(),
    conflictCount: z.number().int().optional(),
    /** The subscription that brought the change; absent for a local edit. */
    subscription: z.string().optional(),
    /** That a policy has resolved conflicts (FeedSync 3.4), and how many. */
    resolution: z.object({ policy: z.string(), conflicts: z.number().int() }).optional(),
    /** Of a resync: how many items were discarded from the collection (FeedSync 4.1.2). */
    discarded: z.number().int().optional(),
    /**
     * Of `endpoint-not-unique`: the identifier of this endpoint, with which someone else signs too (FeedSync
     * 2.1.1).
     */
    endpoint: z.string().optional(),
    /** Of progress: how far the walk through a tree is; `total` grows on the way. */
    progress: z
      .object({
        done: z.number().int(),
        total: z.number().int(),
        bytes: z.number().int(),
        failed: z.number().int(),
      })
      .optional(),
    itemUrl: z.string().optional(),
    item: z.unknown().optional(),
  }),
});
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
