import { tenantBody, tenantLimits } from '#contracts';
import type { Store, Tenant, TenantChange } from '#core';
import { checkInput } from '../requests/check-input.ts';
import { applyPatch, isObject } from '../requests/merge-patch.ts';
import type { JsonObject } from '../requests/merge-patch.ts';
import { findTenant, noSuchTenant } from './find-tenant.ts';

/**
 * Makes a merge patch to a tenant (RFC 7396). What it does not name stays, also if it is changed at the same
 * time. Throws `ProblemError` 404 for no such tenant, 400 for a wrong value.
 */
export async function patchTenant(
  ports: { readonly store: Pick<Store, 'tenants'> },
  name: string,
  patch: JsonObject,
): Promise<Tenant> {
  const { limits: former, isSuspended } = await findTenant(ports, name);
  const patched = applyPatch({ limits: former, suspended: isSuspended }, patch);
  const { limits = {}, suspended = false } = checkInput(tenantBody, 'body', patched);
  const { limits: part } = patch;
  const isNamed = (what: string): boolean => (isObject(part) ? Object.hasOwn(part, what) : part === null);
  const named = tenantLimits.keyof().options.filter(isNamed);
  const change: TenantChange = {
    limits: Object.fromEntries(named.map((what) => [what, limits[what] ?? null])),
    ...('suspended' in patch && { isSuspended: suspended }),
  };
  const changed = await ports.store.tenants.change(name, change);
  if (changed === undefined) throw noSuchTenant(name);
  return changed;
}
