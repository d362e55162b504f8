import { tenantName } from '#contracts';
import { tenantOf } from '#core';
import type { Grant } from '#core';
import type { Principal } from '../access/principal.ts';
import { administersAll } from '../access/suspended-tenants.ts';

/** The paths that are about a collection, which their first group is. */
const aboutCollection = /^\/(?:v1\/collections|feeds|files)\/([^/]+)(\/)?/i;
/** Those that are open to anyone if the collection is public. */
const ofFeeds = /^\/(?:feeds|files)\//i;

/**
 * The tenant that a request counts for: that of its key, which nobody else's limits pay for, or else the one
 * whose collection it is about. Undefined for those who administer all, and for what is refused without a
 * key.
 * @param principal undefined if there has to be one
 * @param path percent-encoded
 */
export function payerOf(principal: Principal | undefined, path: string): string | undefined {
  if (principal === undefined) return ofFeeds.test(path) ? tenantAt(path) : undefined;
  if (isExempt(principal)) return undefined;
  return tenantOfGrants(principal.grants) ?? tenantAt(path);
}

/** Whether nothing that someone requests counts: only for who administers all, and is known to. */
export function isExempt(principal: Principal): boolean {
  return principal.kind !== 'anyone' && administersAll(principal);
}

/** The tenant that all grants are for; undefined if there is none, or more than one. */
export function tenantOfGrants(grants: readonly Grant[]): string | undefined {
  const [first, ...others] = grants;
  const tenant = first && tenantOf(first.collections);
  return others.every(({ collections }) => tenantOf(collections) === tenant) ? tenant : undefined;
}

function tenantAt(path: string): string | undefined {
  const [, segment = '', rest] = aboutCollection.exec(path) ?? [];
  const name = ofFeeds.test(path) && rest === undefined ? segment.replace(/\.[^.]*$/, '') : segment;
  const tenant = tenantOf(name.replace(/%2e/gi, '.'));
  return tenant !== undefined && tenantName.safeParse(tenant).success ? tenant : undefined;
}
