import { z } from 'zod';
import { collectionName } from './name.ts';

/**
 * What a caller may be permitted to do with a collection: read its `feeds` and files, `read` all that is in
 * it, `write` its items and files, `resolve` conflicts, `subscribe` it to feeds, `publish` it to everyone,
 * and `admin`, which is everything.
 */
export const permissions = ['feeds', 'read', 'write', 'resolve', 'subscribe', 'publish', 'admin'] as const;
export type Permission = (typeof permissions)[number];

/** The collections that a grant is for: a name, the beginning of names and `*`, or `*` for all. */
export const collectionScope = z
  .string()
  .refine(
    (text) => collectionName.safeParse(text.replace(/[-.]?\*$/, '')).success || text === '*',
    'the name of a collection, what names begin with and "*", or "*" for all collections',
  );

/** Permissions for some collections. */
export const grant = z.strictObject({
  permissions: z.array(z.enum(permissions)).min(1).max(permissions.length),
  collections: collectionScope,
});
export type Grant = z.infer<typeof grant>;

/**
 * Reads a grant as a text, `permissions:collections`, such as `read,write:orders-*`; undefined if it is none.
 */
export function parseGrant(text: string): Grant | undefined {
  const [, permissionsText = '', collections] = /^([a-z,]{1,100}):([^\s:]{1,200})$/.exec(text) ?? [];
  return grant.safeParse({ permissions: permissionsText.split(','), collections }).data;
}

/** What an operation or a command demands of its caller, for what it is about. */
export interface Demand {
  /**
   * A permission, of which `feeds` is demanded unless the collection is public; `metrics` is `admin`,
   * unless a setting leaves them open; `key` is any key; `nothing` is open to anyone.
   */
  readonly needs: Permission | 'metrics' | 'key' | 'nothing';
  /**
   * For which collections: the one of the path if there is one, otherwise all; `some` for any collection,
   * where the operation shows only those that the caller may read; `queried` for that of the query or all;
   * `letter` for that of the dead letter.
   */
  readonly over?: 'some' | 'queried' | 'letter';
}
