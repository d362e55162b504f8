import { z } from 'zod';

/**
 * The name of a collection: leads every stored key and every message. That of a tenant's collection begins
 * with the tenant and a dot.
 */
export const collectionName = z
  .string()
  .regex(
    /^(?:[a-z0-9][a-z0-9-]{0,62}\.)?[a-z0-9][a-z0-9-]{0,62}$/,
    'a collection name is 1 to 63 of a-z, 0-9 and "-", and does not begin with "-"; before it may be the ' +
      'name of a tenant and a dot',
  );
/** The name of a tenant: what the names of its collections begin with. */
export const tenantName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,62}$/,
    'a tenant name is 1 to 63 of a-z, 0-9 and "-", and does not begin with "-"',
  );

/** The tenant that a collection with this name is of; undefined if it is of the installation itself. */
export function tenantOf(name: string): string | undefined {
  const end = name.indexOf('.');
  return end === -1 ? undefined : name.slice(0, end);
}
/** The name of a subscription within its collection. */
export const subscriptionName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,62}$/,
    'a subscription name is 1 to 63 of a-z, 0-9 and "-", and does not begin with "-"',
  );
