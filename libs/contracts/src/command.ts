import { z } from 'zod';
import type { Demand } from './access.ts';
import { credentials, sealedCredentials } from './credentials.ts';
import { contracts } from './registry.ts';
import { feedUrl } from './feed-url.ts';
import { itemIdText, subscriptionIdText } from './key.ts';
import { collectionName } from './name.ts';

const wrongRevision =
  'a revision is a number such as 7, as text "7" or as an entity tag "\\"7\\""; "*" stands for any';

/**
 * The revision of an item: the number as it is shown, as text, or as the entity tag of HTTP (RFC 9110,
 * 8.8.3); `*` for any.
 */
const ifMatch = z.union(
  [
    z.number(wrongRevision).int(wrongRevision).positive(wrongRevision),
    z.string().regex(/^\s*(?:\*|[1-9][0-9]{0,14}|(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")\s*$/, wrongRevision),
  ],
  wrongRevision,
);

const wrongCredentials =
  'credentials are { kind: "basic", username, password }, { kind: "bearer", token } or ' +
  '{ kind: "headers", headers }, with header fields that may be set';
/** Whether items without synchronisation data are adopted; `auto` unless the feed has `sx:sharing`. */
const adopt = z.union([z.boolean(), z.literal('auto')], 'true, false, or "auto"');
/** The endpoint identifier that a plain feed is adopted under: a Namespace Specific String (RFC 2141). */
const adoptedAs = z
  .string()
  .max(1000)
  .regex(/^(?:[A-Za-z0-9()+,\-.:=@;$_!*']|%[0-9A-Fa-f]{2})+$/, 'a Namespace Specific String (RFC 2141)');

/** Replaces the fetcher's own `User-Agent` in the requests of a subscription; null for that one again. */
const userAgent = z
  .string()
  .max(500)
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'is printable ASCII without spaces around it')
  .nullable();
/** The languages that a subscription asks for (RFC 9110, 12.5.4); null for none. */
const acceptLanguage = z
  .string()
  .max(200)
  .regex(
    /^[A-Za-z*](?:[A-Za-z0-9*\-.,;= ]*[A-Za-z0-9*])?$/,
    'language ranges such as "de, en;q=0.5" (RFC 9110, 12.5.4)',
  )
  .nullable();

/** Seconds between two fetches, up to a year. */
const intervalSeconds = z.number().int().positive().max(31_536_000);

/** Whose command it is: a key of the HTTP interface, where commands need one. */
const key = z.string().min(1).max(2000).optional();

const named = { collection: 'todo', subscription: 'peer' };

/** Version 1 of what any BullMQ client may put into the queue `commands`; the job's name is the command's. */
export const commandSchemas = {
  /**
   * Subscribe a collection to a feed; the same subscription again replaces its url and interval (seconds).
   * Credentials, userAgent and acceptLanguage that are not given stay as they are; null removes them. With
   * `discover` the url may be that of a page that names its feed.
   */
  subscribe: z
    .object({
      key,
      collection: collectionName,
      subscription: subscriptionIdText.optional(),
      url: feedUrl,
      interval: z.object({ minimum: intervalSeconds, maximum: intervalSeconds }).optional(),
      adopt: adopt.optional(),
      adoptedAs: adoptedAs.optional(),
      discover: z.boolean().optional(),
      userAgent: userAgent.optional(),
      acceptLanguage: acceptLanguage.optional(),
      credentials: z.union([credentials, sealedCredentials], wrongCredentials).nullable().optional(),
    })
    .register(contracts, {
      id: 'SubscribeCommand',
      version: 1,
      example: { collection: 'todo', subscription: 'peer', url: 'https://peer.example/todo.atom' },
    }),
  unsubscribe: z
    .object({ key, collection: collectionName, subscription: subscriptionIdText })
    .register(contracts, { id: 'UnsubscribeCommand', version: 1, example: named }),
  /** Fetch now. */
  refresh: z
    .object({ key, collection: collectionName, subscription: subscriptionIdText })
    .register(contracts, { id: 'RefreshCommand', version: 1, example: named }),
  /** One edit of one item, in the words of the HTTP interface. `ifMatch` is the item's `revision` or ETag. */
  edit: z
    .object({
      key,
      collection: collectionName,
      action: z.enum(['create', 'update', 'delete', 'undelete', 'resolve']),
      id: itemIdText.optional(),
      ifMatch: ifMatch.optional(),
      item: z.record(z.string(), z.unknown()).optional(),
      resolution: z.record(z.string(), z.unknown()).optional(),
    })
    .register(contracts, {
      id: 'EditCommand',
      version: 1,
      example: {
        collection: 'todo',
        action: 'update',
        id: 'groceries',
        ifMatch: 2,
        item: { title: 'Buy milk' },
      },
    }),
} as const;
/** What each command demands of whoever sends it, for its collection; an edit that resolves, `resolve`. */
export function commandDemand({ name, data }: ParsedCommand): Demand {
  if (name !== 'edit') return { needs: 'subscribe' };
  return { needs: data.action === 'resolve' ? 'resolve' : 'write' };
}

export type CommandName = keyof typeof commandSchemas;
/** A command as it is sent. */
export type Command = {
  [Name in CommandName]: { readonly name: Name; readonly data: z.input<(typeof commandSchemas)[Name]> };
}[CommandName];
/** A command as its schema reads it. */
export type ParsedCommand = {
  [Name in CommandName]: { readonly name: Name; readonly data: z.output<(typeof commandSchemas)[Name]> };
}[CommandName];
