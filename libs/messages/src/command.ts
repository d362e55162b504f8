import { z } from 'zod';
import { collectionName, subscriptionName } from './job.ts';

const url = z.url({ protocol: /^https?$/ });

/** Version 1 of what any BullMQ client may put into the queue `commands`; the job's name is the command's. */
export const commandSchemas = {
  /** Subscribe a collection to a feed; the same subscription again replaces its url and interval (seconds). */
  subscribe: z.object({
    collection: collectionName,
    subscription: subscriptionName.optional(),
    url,
    interval: z.object({ minimum: z.number().int().positive(), maximum: z.number().int().positive() }).optional(),
  }),
  unsubscribe: z.object({ collection: collectionName, subscription: subscriptionName }),
  /** Fetch now. */
  refresh: z.object({ collection: collectionName, subscription: subscriptionName }),
  /** One edit of one item, in the words of the HTTP interface. `ifMatch` is the item's ETag. */
  edit: z.object({
    collection: collectionName,
    action: z.enum(['create', 'update', 'delete', 'undelete', 'resolve']),
    id: z.string().min(1).optional(),
    ifMatch: z.string().optional(),
    item: z.record(z.string(), z.unknown()).optional(),
    resolution: z.record(z.string(), z.unknown()).optional(),
  }),
} as const;
export type CommandName = keyof typeof commandSchemas;
export type Command = { [Name in CommandName]: { readonly name: Name; readonly data: z.infer<(typeof commandSchemas)[Name]> } }[CommandName];
